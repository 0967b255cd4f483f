"""A table's own rules on a phone: typed, tapped, looked at while they change, played, passed on."""

from playwright.sync_api import Locator, Page, Route, expect

from tests.waiting import wait_on_page

_ALL_SELECTED = """() => {
  const { selectionStart, selectionEnd, value } = document.activeElement;
  return selectionStart === 0 && selectionEnd === value?.length;
}"""


def test_contracts_are_understood_and_their_effect_is_shown_while_they_are_typed(
    phone: Page,
) -> None:
    phone.goto("/rules/custom/new?base=frustration")
    first = phone.locator("#contract-0")
    first.fill("3x3 + R4")
    said = phone.locator("#said-contract-0")
    expect(said).to_contain_text("takes 13 cards and one more for the discard")
    expect(phone.locator("#effect-short")).to_contain_text(
        "1 contract can’t be laid down by anyone"
    )
    first.fill("2x3 and a hat")
    expect(said).to_contain_text("“a hat” isn’t a set or run")
    first.fill("2x3")
    expect(said).to_contain_text("6 cards")
    phone.get_by_text("Melds", exact=True).tap()
    phone.get_by_label("Are 2s wild?").select_option(label="no, 2s are ordinary cards")
    expect(phone.locator("#effect")).to_contain_text("no, 2s are ordinary cards")
    expect(first).to_have_value("2x3")


def test_what_cannot_be_read_yet_does_not_take_the_field_away_from_who_types(phone: Page) -> None:
    phone.goto("/rules/custom/new?base=frustration")
    first = phone.locator("#contract-0")
    first.focus()
    before = first.bounding_box()
    first.fill("2x3 and a hat")
    expect(phone.locator("#said-contract-0")).to_contain_text("“a hat” isn’t a set or run")
    expect(phone.locator("#effect .fault")).to_be_attached()
    assert first.bounding_box() == before


def test_an_answer_about_contracts_that_were_removed_meanwhile_is_not_waited_for(
    phone: Page,
) -> None:
    phone.goto("/rules/custom/new?base=frustration")
    held: list[Route] = []
    phone.route("**/draft", lambda route: held.append(route))  # noqa: PLW0108  # it asks for a signature
    with phone.expect_request("**/draft"):
        phone.get_by_label("Name", exact=True).fill("Attic Rummy")
    with phone.expect_request("**/draft"), phone.expect_event("requestfailed") as ended:
        phone.get_by_role("button", name="Remove contract 2").tap()
    assert ended.value == held[0].request
    expect(phone.get_by_role("button", name="Remove contract 2")).to_be_disabled()
    held[1].continue_()
    expect(phone.locator(".typed-contract")).to_have_count(9)
    expect(phone.get_by_role("button", name="Remove contract 2")).to_be_enabled()


def test_an_answer_to_a_page_that_was_left_changes_none_that_came_after(phone: Page) -> None:
    """Those after it may have elements of the same names."""
    phone.goto("/rules/custom/new?base=frustration")
    held: list[Route] = []
    phone.route("**/draft", lambda route: held.append(route))  # noqa: PLW0108  # it asks for a signature
    with phone.expect_request("**/draft"):
        phone.get_by_label("Name", exact=True).fill("Attic Rummy")
    phone.locator("summary", has_text="Cancel").tap()
    phone.get_by_role("link", name="Discard what was changed").tap()
    phone.get_by_role("main").get_by_role("link", name="Points only").tap()
    expect(phone.get_by_label("In which steps")).to_be_attached()
    title = phone.locator("#draft-title").inner_text()
    with phone.expect_response("**/draft") as answered:
        held[0].continue_()
    answered.value.finished()
    assert phone.locator("#draft-title").inner_text() == title != "Attic Rummy"


def test_rules_are_built_by_taps_kept_and_played(phone: Page) -> None:
    phone.goto("/rules/custom")
    phone.get_by_label("Start from").select_option(label="Garbage Rummy")
    phone.get_by_role("button", name="Create").tap()
    phone.get_by_label("Name", exact=True).fill("Attic Rummy")
    for _ in range(10):
        phone.get_by_role("button", name="Remove contract 2").tap()
        wait_on_page(phone, "() => !document.querySelector('.htmx-request')")
    phone.locator(".taps-fold summary").first.tap()
    phone.get_by_role("button", name="+ run of 4").tap()
    expect(phone.locator("#contract-0")).to_have_value("2 sets of 3, run of 4")
    phone.get_by_role("button", name="Save").tap()
    expect(phone.get_by_role("heading", name="Attic Rummy")).to_be_visible()
    expect(phone.get_by_role("img", name="QR code of the link")).to_be_visible()
    expect(phone.locator(".contract-list")).to_contain_text("2 sets of 3 and run of 4")
    phone.get_by_role("link", name="Play with these rules").tap()
    phone.get_by_label("Add players").fill("Anna, Ben")
    phone.get_by_role("button", name="Start game").tap()
    expect(phone.get_by_role("heading", name="Round 1")).to_be_visible()


def test_a_family_has_its_game_of_points_under_its_name_after_nine_taps(phone: Page) -> None:
    """What is typed takes the place of what is proposed."""
    taps = 0

    def tap(what: Locator, typed: str = "") -> None:
        nonlocal taps
        what.tap()
        taps += 1
        if typed:
            wait_on_page(phone, _ALL_SELECTED)
            phone.keyboard.type(typed)
            expect(what).to_have_value(typed)

    phone.goto("/games/new")
    tap(phone.get_by_role("link", name="Custom rules"))
    phone.wait_for_url("**/rules/custom")  # the page before it has a link of the same name
    tap(phone.get_by_role("main").get_by_role("link", name="Points only"))
    tap(phone.get_by_label("Name", exact=True), "Wizard")
    phone.get_by_label("Who wins?").select_option(label="the highest score")
    taps += 2  # one to open the list
    tap(phone.get_by_label("After how many rounds"), "15")
    tap(phone.get_by_label("In which steps"), "10")
    tap(phone.get_by_role("button", name="Save"))
    tap(phone.get_by_role("link", name="Play with these rules"))
    assert taps == 9
    expect(phone.get_by_role("heading", name="Wizard")).to_be_visible()
    expect(phone.get_by_label("Who wins?")).to_contain_text("the highest score (standard)")
    rounds = phone.get_by_label("After how many rounds")
    expect(rounds).to_have_attribute("placeholder", "15 rounds")
    assert rounds.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_the_effect_of_a_house_rule_is_shown_as_it_is_chosen(phone: Page) -> None:
    phone.goto("/games/new/frustration")
    phone.get_by_label("Add players").fill("Anna, Ben")
    phone.get_by_text("House rules").tap()
    phone.get_by_text("Setup", exact=True).tap()
    phone.get_by_label("How many cards does each player get?").fill("9")
    phone.get_by_label("How many cards does each player get?").blur()
    effect = phone.locator("#effect")
    expect(effect).to_contain_text("9 cards")
    expect(effect).to_contain_text("Contract 10 takes 10 cards and one more for the discard")
    expect(phone.get_by_label("Add players")).to_have_value("Anna, Ben")


def test_own_rules_fit_a_narrow_phone(phone: Page) -> None:
    for address in (
        "/rules/custom",
        "/rules/custom/new?base=frustration",
        "/rules/custom/bring",
        "/games/new",
    ):
        phone.goto(address)
        for fold in phone.locator("details").all():
            fold.evaluate("fold => { fold.open = true; }")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360, address
