#pragma once

namespace alder::page {

/// Colors s0 to s6 after Okabe and Ito, who chose them to be told apart by readers with any of the common color blindnesses; darkened for
/// light pages and lightened for dark ones until each has a contrast of 3 to 1 at least against what it stands on.
inline constexpr char const* styleSheet = R"css(
:root { color-scheme: light dark; --ground: #fff; --card: #f7f8fa; --ink: #1c1f24; --pale: #5a616b; --rule: #d5d9df; --warn: #8a4b00;
  --warnground: #fff3de; --c0: #0072b2; --c1: #c84e00; --c2: #00805e; --c3: #b0508a; --c4: #946800; --c5: #2f8fc4; --c6: #555b66; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171b; --card: #1c2026; --ink: #e6e9ee; --pale: #a2abb8; --rule: #373d47; --warn: #ffc46b; --warnground: #33270f;
    --c0: #5ab4ee; --c1: #ff8a45; --c2: #37c79d; --c3: #e291c2; --c4: #e6b031; --c5: #8ccdf2; --c6: #b4bcc8; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 16px clamp(10px, 2vw, 28px) 40px; max-width: 1920px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .3em 0 .5em; }
h2 { font-size: 1.25rem; margin: 1.8em 0 .6em; padding-top: .4em; border-top: 1px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 1.3em 0 .5em; }
p { margin: .5em 0; max-width: 75ch; }
.note { padding: .6em .9em; max-width: 80ch; border-left: 4px solid var(--c0); background: var(--card); }
.note.warning { border-color: var(--warn); background: var(--warnground); }
.scroll { overflow-x: auto; max-width: 100%; margin: .8em 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--pale); padding: .2em 0 .4em; }
th, td { padding: .28em .8em .28em 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); overflow-wrap: normal; }
td { max-width: 60ch; overflow-wrap: break-word; }
th { font-weight: 600; border-bottom-color: var(--pale); white-space: nowrap; }
.right { text-align: right; white-space: nowrap; }
td .part { display: block; height: 5px; min-width: 1px; margin-top: 3px; background: var(--c0); }
.right .part { margin-left: auto; }
tr.marked td { color: var(--pale); font-style: italic; }
.mark { display: inline-block; font-size: .8rem; font-style: normal; color: var(--warn); border: 1px dashed var(--warn); padding: 0 .35em; white-space: nowrap; }
td:has(.part) { min-width: 9em; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); gap: 14px; margin: 1em 0; }
figure { margin: 0; padding: 10px 10px 8px; max-width: 640px; min-width: 0; background: var(--card); border: 1px solid var(--rule);
  border-radius: 6px; }
figcaption { font-weight: 600; margin-bottom: 4px; }
.drawing { display: block; width: 100%; height: auto; }
.drawing text { font-size: 13.5px; fill: var(--ink); }
.grid { stroke: var(--rule); stroke-width: 1; fill: none; }
.frame { stroke: var(--pale); stroke-width: 1; fill: none; }
.level { stroke: var(--pale); stroke-width: 1.2; stroke-dasharray: 6 4; fill: none; }
.line, .spread { fill: none; stroke-width: 1.7; stroke-linejoin: round; stroke-linecap: round; }
.line.faint { stroke-width: 1; opacity: .4; }
.line.marked { stroke-dasharray: 3 5; }
.band { opacity: .22; stroke: none; }
.marker { stroke: var(--card); stroke-width: 1; }
.whisker { stroke: var(--ink); stroke-width: 1.3; fill: none; }
.marker.marked { fill: var(--card); stroke-width: 1.8; }
.bar.marked { fill: none; stroke-width: 1.6; stroke-dasharray: 4 3; }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); } .s4 { --c: var(--c4); }
.s5 { --c: var(--c5); } .s6 { --c: var(--c6); }
.line, .spread, .marked { stroke: var(--c); }
.band, .bar:not(.marked), .marker:not(.marked) { fill: var(--c); }
.line.s1 { stroke-dasharray: 8 3; } .line.s2 { stroke-dasharray: 3 3; } .line.s3 { stroke-dasharray: 9 3 2 3; }
.line.s4 { stroke-dasharray: 5 4; } .line.s5 { stroke-dasharray: 12 4; } .line.s6 { stroke-dasharray: 2 5; }
.line.faint { stroke-dasharray: none; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 4px 0 0; padding: 0; font-size: .88rem; }
.swatch { width: 34px; height: 16px; vertical-align: -3px; }
.remark { margin: 4px 0 0; font-size: .88rem; color: var(--pale); }
details { margin: .8em 0; }
summary { cursor: pointer; font-weight: 600; }
pre { overflow-x: auto; max-width: 100%; padding: .7em; background: var(--card); border: 1px solid var(--rule); font-size: .82rem;
  line-height: 1.4; overflow-wrap: normal; }
@media print { .charts { grid-template-columns: 1fr 1fr; } figure { break-inside: avoid; } }
)css";

} // namespace alder::page
