"""What can be seen of a page by looking closely: what is cut off, too small, or unclear to axe."""

from collections.abc import Mapping
from contextlib import suppress

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.waiting import NeverHappenedError, wait_on_page, wait_with_page

ALL_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOR_RULES = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}

_CUT_OFF = """() => {
  const scrolls = (one) => one && (one.matches("body") ? false
    : (/auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth)
      || scrolls(one.parentElement));
  // The width of the screen: innerWidth grows with a page that is too wide.
  const room = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth - room;
  const found = wide > 0 ? [`the page is ${wide} px too wide`] : [];
  for (const one of document.querySelectorAll("body *")) {
    const says = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!says || one.closest("[class*=sr-only], .skip, .tap, svg, .name") || scrolls(one)) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const box = one.getBoundingClientRect();
    const { overflowX, display } = getComputedStyle(one);
    const holds = one.matches("button, .button") || overflowX !== "visible";
    const hides = holds && display !== "inline";
    const cut = hides && one.scrollWidth > one.clientWidth + 1;
    const beside = box.right > room + 1 || box.left < -1;
    if (cut || beside) found.push(`${cut ? "cut off" : "beside"}: ${one.outerHTML.slice(0, 90)}`);
  }
  for (const row of document.querySelectorAll("tr")) {
    const cells = [...row.cells].filter((cell) => cell.checkVisibility());
    const lefts = cells.map((cell) => cell.getBoundingClientRect().left);
    // What stays in view while the others are scrolled aside is the first.
    if (lefts.slice(2).some((left, index) => left < lefts[index + 1])) {
      found.push(`read in another order: ${row.outerHTML.slice(0, 90)}`);
    }
  }
  return found;
}"""

_MENUS_ASTRAY = """() => [...document.querySelectorAll("header .menu")].flatMap((menu) => {
  const bar = menu.closest("header").getBoundingClientRect();
  const gap = Math.round(bar.right - menu.getBoundingClientRect().right);
  menu.open = true;
  const { left, right } = menu.querySelector(".menu-panel").getBoundingClientRect();
  menu.open = false;
  return [gap > 16 && `the menu is ${gap} px before the end of the head`,
    left < 0 && `the menu opens ${-left} px beside the screen`,
    right > document.documentElement.clientWidth && "it opens beyond the screen"].filter(Boolean);
})"""

_LONG_WORDS = """() => {
  const sentences = "main :is(p, dd):not(.name *, .sr-only, .row-doubt > *)";
  for (const one of document.querySelectorAll(sentences)) {
    one.append(" www.example.org/" + "programmes/".repeat(6));
  }
}"""

_BROKEN_NAMES = """() => [...document.querySelectorAll(".name")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .flatMap((one) => {
    const found = [];
    const edge = one.getBoundingClientRect();
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walk.nextNode()) {
      for (const { 0: word, index } of walk.currentNode.data.matchAll(/[^\\s-]+-?/g)) {
        range.setStart(walk.currentNode, index);
        range.setEnd(walk.currentNode, index + word.length);
        const boxes = [...range.getClientRects()];
        const lines = new Set(boxes.map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`broken: ${word}`);
        const ends = boxes.some(({ right }) => right > edge.right + 1);
        if (ends && word.length < 12) found.push(`ended: ${word}`);
      }
    }
    const mark = one.parentElement.querySelector(":scope > .mark")?.getBoundingClientRect();
    if (mark && mark.right > edge.left) found.push("its mark is not beside it");
    return found.map((what) => `${what} in ${one.outerHTML.slice(0, 90)}`);
  })"""

_HIGH_NAMES = """() => [...document.querySelectorAll(".name, .row-name")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(":has(*)"))
  .filter((one) => {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(one);
    const inside = one.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    return inside > 2.5 * parseFloat(lineHeight);
  })
  .map((one) => `more than two lines: ${one.outerHTML.slice(0, 90)}`)"""

_CUT_ACCENTS = """() => [...document.querySelectorAll(".name, .row-name, .told-change > p")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.trim())
  .filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { font, overflowY } = getComputedStyle(one);
    const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font });
    const { fontBoundingBoxAscent, actualBoundingBoxAscent } = pen.measureText("É");
    const top = range.getClientRects()[0].top + fontBoundingBoxAscent - actualBoundingBoxAscent;
    return overflowY !== "visible" && top < one.getBoundingClientRect().top - 0.5;
  })
  .map((one) => `an accent would be cut off: ${one.outerHTML.slice(0, 90)}`)"""

_NOT_IN_VIEW = """(wanted) => {
  const found = [];
  for (const one of document.querySelectorAll(wanted)) {
    const { visibility, pointerEvents } = getComputedStyle(one);
    if (visibility !== "visible" || pointerEvents === "none" || !one.checkVisibility()) continue;
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [[left + 3, y], [right - 3, y], [x, top + 3], [x, bottom - 3], [x, y]];
    const over = points.map((point) => document.elementFromPoint(...point))
      .find((other) => !one.contains(other));
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || over !== undefined)
      found.push(`${one.className} ${[left, top, right, bottom].map(Math.round)}`
        + (over ? ` under ${over.outerHTML.slice(0, 60)}` : ""));
  }
  return found;
}"""

_TOO_SMALL = """() => [...document.querySelectorAll(
    'a, button, select, summary, label.tap-face, input:not([type=hidden])')]
  .filter((one) => one.checkVisibility({visibilityProperty: true})
    && !one.matches('.sr-only, .tap, .skip, .tray-text, p a, dd a, td a')
    && !one.matches('li:not(:has(> a:only-child)) > a'))
  .map((one) => [one.outerHTML.slice(0, 90),
    (one.closest('label.line') ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
  .map(([html, box]) => `${html} ${Math.round(box.width)}x${Math.round(box.height)}`)"""

_ONE_OVER_ANOTHER = """() => {
  const tapped = [...document.querySelectorAll(
    "a, button, select, summary, label.tap-face, input:not([type=hidden])")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true })
      && !one.matches(".sr-only, .tap, .skip"));
  const box = (one) => one.getBoundingClientRect();
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
    || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  return tapped.flatMap((one, index) => tapped.slice(index + 1)
    .filter((other) => !one.contains(other) && !apart(box(one), box(other)))
    .map((other) => `${one.outerHTML.slice(0, 90)} and ${other.outerHTML.slice(0, 90)}`));
}"""

_SHIFTS = """async () => {
  const found = [];
  const observer = new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.outerHTML?.slice(0, 90) ?? node?.data ?? "");
      if (!hadRecentInput) found.push(...moved);
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
  // What was buffered is told in a task of its own, before the next one that is idle.
  const idle = () => new Promise((done) => requestIdleCallback(done, { timeout: 9_000 }));
  await idle();
  await idle();
  return found;
}"""

_SCRIPTS = "**/js/app.js"
# A browser that has no frame to draw now and then never says so: nothing is waited for without end.
_DRAWN = """() => new Promise((done) => {
  new PerformanceObserver(done).observe({ type: "paint", buffered: true });
  setTimeout(done, 9_000);
})"""

_STILL = """async () => {
  await document.fonts.ready;
  // What moves as a page is scrolled ends only with that.
  const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  await Promise.allSettled(moving.map((one) => one.finished));
  await new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
    setTimeout(done, 9_000);
  });
}"""

RESTS = """() => {
  const moving = document.getAnimations().filter(({ playState }) => playState === "running");
  for (const one of moving) one.finish();
  const styled = ({ sheet }) => {
    try { return Boolean(sheet?.cssRules); } catch { return false; }
  };
  return !moving.length && document.fonts.status === "loaded"
    && [...document.querySelectorAll("link[rel=stylesheet]")].every(styled)
    && !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")
    && [...document.images].every(({ loading, complete }) => loading === "lazy" || complete);
}"""
"""Does nothing of the page come or move any more? What moves is brought to its end at once.

A swapped page is shown before a style sheet that it brings along; it has rules once it is there.
"""

BOXES = """() => {
  scrollTo(0, 0);
  return [...document.querySelectorAll("body *:not(svg *)")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const ground = width < innerWidth / 2 ? "" : getComputedStyle(one).background;
      const box = [x, y, width, height].map(Math.round);
      return `${one.tagName}${one.id && "#"}${one.id} ${box} ${ground}`;
    });
}"""


def boxes(page: Page) -> list[str]:
    """Where everything that is shown stands, seen from the page's top; and wide things' grounds."""
    wait_on_page(page, RESTS)
    return page.evaluate(BOXES)


def resized(page: Page, width: int, height: int) -> Page:
    page.set_viewport_size({"width": width, "height": height})
    return page


def still(page: Page) -> None:
    """Wait until nothing of the page comes, moves or is drawn any more."""
    page.wait_for_load_state("networkidle")
    page.evaluate(_STILL)


def menus_astray(page: Page) -> list[str]:
    """Menus at the head of a page that are not at its end, or open beside the screen."""
    return page.evaluate(_MENUS_ASTRAY)


def cut_off(page: Page) -> list[str]:
    """What is wider than the page or than its own box; not names, nor what scrolls in its box.

    And rows of tables whose cells stand in another order than they are read.
    """
    return page.evaluate(_CUT_OFF)


def put_in_long_words(page: Page) -> None:
    """Let each sentence of the page end with an address that is longer than a phone is wide.

    Not what is doubted beside a name, which is ours and has one line.
    """
    page.evaluate(_LONG_WORDS)


def broken_names(page: Page) -> list[str]:
    """Names that go on below within a word, lack their mark beside or the end of a short word.

    And those of more than two lines, where nothing but the name stands, or with an accent cut off.
    """
    looks = (_BROKEN_NAMES, _HIGH_NAMES, _CUT_ACCENTS)
    return [fault for one in looks for fault in page.evaluate(one)]


def too_small(page: Page) -> list[str]:
    """What is tapped and is not 44 pixels high and wide; links in a sentence are as its line."""
    return page.evaluate(_TOO_SMALL)


def not_in_view(page: Page, wanted: str) -> list[str]:
    """Which of these are cut by the screen's edge, or covered, once what scrolls had its time."""
    assert page.locator(wanted).count()

    def found() -> list[str]:
        return page.evaluate(_NOT_IN_VIEW, wanted)

    with suppress(NeverHappenedError):
        wait_with_page(page, lambda: not found(), patience=10)
    return found()


def one_over_another(page: Page) -> list[str]:
    """What is tapped and shares its place with something else that is."""
    return page.evaluate(_ONE_OVER_ANOTHER)


def shifts(page: Page) -> list[str]:
    """What moved since the page was first drawn, what a tap or a key moved aside."""
    return page.evaluate(_SHIFTS)


def open_before_its_scripts(page: Page, address: str) -> None:
    """Go there, and let the page be drawn before its scripts arrive, as on a slow network."""
    page.route(_SCRIPTS, lambda route: None)
    page.goto(address, wait_until="commit")
    page.evaluate(_DRAWN)
    page.unroute(_SCRIPTS)  # lets what was held go on
    page.wait_for_load_state("load")


def faults_of(page: Page, rules: Mapping[str, object]) -> list[str]:
    """What axe-core finds by these rules at the end of the page, where nothing is behind a bar."""
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    options = {**rules, "resultTypes": ["violations"], "reporter": "no-passes"}
    options["preload"] = {"assets": ["media"]}  # no rule that is asked for reads style sheets anew
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("(options) => axe.run(options)", options)["violations"]
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]


SAID_AFTER = """(one) => {
  const style = getComputedStyle(one, "::after"), words = document.createElement("span");
  words.textContent = JSON.parse(style.content);
  words.style.font = style.font;
  words.style.letterSpacing = style.letterSpacing;
  document.body.append(words);
  const { width } = words.getBoundingClientRect();
  words.remove();
  return width <= parseFloat(style.width) ? words.textContent : `${width} in ${style.width}`;
}"""
"""What the style sheet says after an element, if it has the room for it; else how wide both are."""

COVERED = """() => [
  ...document.querySelectorAll(".row :is(.tap-face, button, .counting > summary)")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).filter((one) => {
    const { left, right, top, height } = one.getBoundingClientRect();
    return [left + 4, (left + right) / 2, right - 4].some((x) => !one.contains(
      document.elementFromPoint(x, top + height / 2)));
  }).map((one) => one.textContent.trim())"""
"""What can be tapped in the rows of a round and lies under something else."""
