#!/usr/bin/env python3
"""A picture of a page, as those in docs/images are made.

usage: tests/browser/screenshot.py PAGE.html OUT.png WIDTH [HEIGHT]

WIDTH is the window's, in pixels; HEIGHT cuts a long page. Prints what the browser has to complain of, and then exits with 1.
"""
import os
import sys

from browser import Browser, NoBrowser


def main(arguments):
    if len(arguments) not in (3, 4):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    page_file, out, width = arguments[:3]
    try:
        with Browser() as browser:
            page = browser.open(page_file, int(width))
            page.screenshot(out, height=int(arguments[3]) if len(arguments) == 4 else None)
            complaints = page.complaints()
    except NoBrowser as reason:
        print(reason, file=sys.stderr)
        return 77
    print(f"{out}: {os.path.getsize(out) / 1000:.0f} kB")
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
