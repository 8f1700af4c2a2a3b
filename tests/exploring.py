"""What the tests of the explorer's page do with a browser: they go to a place, press, click, wait and ask."""

import time

import pyarrow.parquet as pq

from tom_datasets.splits import language_of_name, plain_name, world_of

SHOWN = "return document.querySelector(arguments[0]) !== null"

# Returns what stands out from its ground by less than 4.5 to 1.
CONTRAST = """
const light = colour => { const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map(part => {
  part /= 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]; };
const ground = element => { for (let one = element; one; one = one.parentElement) {
  const colour = getComputedStyle(one).backgroundColor; if (!/, 0\\)$|transparent/.test(colour)) return colour; } };
return Array.from(document.querySelectorAll("p, h1, h2, td, th, button, a, summary, label span")).filter(one =>
  one.textContent.trim() && one.offsetParent && !one.disabled).map(one => {
  const [dark, bright] = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => a - b);
  return [(bright + 0.05) / (dark + 0.05), one.tagName, one.className, one.textContent.slice(0, 30)]; })
  .filter(one => one[0] < 4.5);
"""


def set_look(browser, width, height, **media):
    """Set the size of the page, and media features such as prefers-color-scheme."""
    mobile = width < 600
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})


def rows_of(out, dataset):
    """Return (config of the page, row) of every test row; the page shows other worlds beside the house alone."""
    files = sorted((out / dataset).glob("*/test.parquet"))
    own = {"all", "deep", "ladder", "reproduction", "tomh", "scale", "plans", "woven", "rounds"}
    return [
        (file.parent.name, row)
        for file in files
        if plain_name(file.parent.name) in own and not world_of(language_of_name(file.parent.name))
        for row in pq.read_table(file).to_pylist()
    ]


def visit(browser, address, place, *awaited):
    """Go to a place of the page, and wait until each selector is there."""
    if browser.current_url.split("#")[0] == address:
        browser.execute_script("explorer.always = false; location.hash = arguments[0]; explorer.page()", place)
    else:
        browser.get(address + place)
    for selector in awaited:
        until(browser, SHOWN, selector)


def until(browser, script, *arguments):
    """Wait until a script returns something true, and return it."""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        if found := browser.execute_script(script, *arguments):
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {arguments or script} at {browser.current_url}")


def press(browser, *keys):
    """Press keys on the page."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def key(name):
    """Return a key by its name."""
    from selenium.webdriver.common.keys import Keys

    return getattr(Keys, name)


def ask(browser, script, *arguments):
    """Return what a script returns."""
    return browser.execute_script(f"return {script}", *arguments)


def text(browser, selector):
    """Return the text of the first element that a selector finds."""
    return browser.execute_script("return document.querySelector(arguments[0]).textContent", selector)


def count(browser, selector):
    """Return how many elements a selector finds."""
    return browser.execute_script("return document.querySelectorAll(arguments[0]).length", selector)


def click(browser, selector):
    """Click the first element that a selector finds."""
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


def row_of(out, dataset, config, fits=lambda row: True):
    """Return the first test row of a config that fits."""
    return next(filter(fits, pq.read_table(out / dataset / config / "test.parquet").to_pylist()))
