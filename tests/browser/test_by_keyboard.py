"""The app by keyboard alone: where one is after each page, and what says so."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.at_the_table import GameOnPhone


def test_each_page_is_begun_at_its_heading_and_has_a_title_of_its_own(phone: Page) -> None:
    phone.goto("/")
    titles = [phone.title()]
    enter(phone.get_by_role("link", name="New game"))
    titles.append(begun_at(phone, "What are you playing?"))
    enter(phone.get_by_role("link", name="Aggravation Rummy").first)
    titles.append(begun_at(phone, "Aggravation Rummy"))
    phone.go_back()
    assert begun_at(phone, "What are you playing?") == titles[1]
    phone.keyboard.press("Tab")
    expect(phone.locator(".variant-card").first).to_be_focused()
    for place, heading in (("Rules", "Rules"), ("Check", "Check a play")):
        phone.goto("/")
        enter(phone.get_by_role("navigation", name="Places").get_by_role("link", name=place))
        titles.append(begun_at(phone, heading))

    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    titles.append(begun_at(phone, "Aggravation Rummy"))
    for page, heading in (("Rounds", "Aggravation Rummy"), ("Big screen", "Aggravation Rummy")):
        phone.locator(".menu > summary").press("Enter")
        enter(phone.locator(".menu").get_by_role("link", name=page, exact=True))
        titles.append(begun_at(phone, heading))
        phone.go_back()
        begun_at(phone, "Aggravation Rummy")
    assert len(set(titles)) == len(titles)


def test_a_sum_is_said_beside_its_parts_as_they_are_typed_and_afterwards(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Garbage Rummy", "Anna Ben Cleo")
    field, said = phone.get_by_label("Points for Ben"), game.row("Ben").locator(".penalty-sum")
    field.press_sequentially("10+5")
    expect(said).to_have_text("= 15")
    field.press_sequentially("+")
    expect(said).to_have_text("= 15")
    field.press_sequentially("15")
    expect(said).to_have_text("= 30")
    game.goes_out("Anna")
    phone.reload()
    expect(said).to_have_text("= 30")
    field.fill("30")
    expect(said).to_have_text("")


def test_what_was_done_is_said_and_the_focus_stays_where_it_was_done(phone: Page) -> None:
    phone.goto("/games/new/aggravation-rummy")
    phone.get_by_label("Add players").fill("Anna, Ben, Cleo, Dan")
    phone.get_by_role("button", name="Add", exact=True).press("Enter")
    says(phone, "Seats: Anna, Ben, Cleo and Dan. Anna deals first.")
    phone.evaluate("document.querySelector('#announced').first = true")
    phone.get_by_role("button", name="Move Cleo up").press("Enter")
    says(phone, "Seats: Anna, Cleo, Ben and Dan. Anna deals first.")
    expect(phone.get_by_role("button", name="Move Cleo up")).to_be_focused()
    phone.get_by_role("button", name="Remove Cleo").press("Enter")
    says(phone, "Seats: Anna, Ben and Dan. Anna deals first.")
    expect(phone.get_by_role("button", name="Remove Ben")).to_be_focused()
    phone.get_by_role("button", name="Start game").press("Enter")
    begun_at(phone, "Aggravation Rummy")
    assert phone.evaluate("document.querySelector('#announced').first")  # which a new one is not


def enter(link: Locator) -> None:
    link.focus()
    link.press("Enter")


def begun_at(page: Page, heading: str) -> str:
    """The title of the page, once the keyboard and who listens are at its heading."""
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator("h1")).to_contain_text(heading)
    return page.title()


def says(page: Page, words: str) -> None:
    """What was done is told to who listens, in the region that stays."""
    expect(page.locator("#announced")).to_have_text(words)
