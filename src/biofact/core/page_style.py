"""The style sheet that all pages of biofact share: colours in light and dark, text, no font from elsewhere."""

_LIGHT = """
--paper:#ffffff;--panel:#f3f6f8;--ink:#17212b;--quiet:#52606d;--rule:#d5dde3;--accent:#0a6270;--track:#dbe3e8;
--bar:#2b8391;--other:#b3c1cb;--grave:#a3121d;--grave-panel:#fdeaea;--doubt:#7a4a00;--doubt-panel:#fdf1da;
--mild:#33485c;--mild-panel:#e6edf3;--mark-s:78%;--mark-l:87%;--heat-s:52%;--heat-l:94%;--heat-step:-9%;
"""
_DARK = """
--paper:#10171d;--panel:#18222b;--ink:#e6ecf1;--quiet:#a5b4c1;--rule:#2f3d49;--accent:#71cbd6;--track:#2a3742;
--bar:#3f9dab;--other:#52636f;--grave:#ffa8a5;--grave-panel:#451a1d;--doubt:#f4c877;--doubt-panel:#3d2e10;
--mild:#b9cbdb;--mild-panel:#243341;--mark-s:42%;--mark-l:25%;--heat-s:42%;--heat-l:13%;--heat-step:5%;
"""
_TEXT = """
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:auto}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,
"Noto Sans","Liberation Sans",sans-serif;overflow-wrap:break-word}
body>*{max-width:71rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2.5rem)}
h1,h2,h3,h4,p,ul,ol,figure,table{margin:0;padding:0}
ul,ol{list-style:none}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em}
a:focus-visible,.scroll:focus-visible{outline:.15rem solid var(--accent);outline-offset:.15rem;border-radius:.15rem}
h1{font-size:clamp(1.5rem,1.1rem + 2vw,2.35rem);line-height:1.18;font-weight:680;letter-spacing:-.015em;
max-width:50rem;text-wrap:balance}
h2{font-size:1.3rem;line-height:1.25;font-weight:660;letter-spacing:-.008em;margin-bottom:.9rem}
h3{font-size:1.13rem;line-height:1.35;font-weight:640}
.eyebrow{font-size:.86rem;font-weight:650;color:var(--accent);margin-bottom:.5rem}
.top{padding-top:clamp(1.6rem,5vw,3.4rem)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:1rem 2rem;margin-top:1.8rem;
padding-block:1rem;border-block:1px solid var(--rule)}
.figures dt{font-size:.86rem;color:var(--quiet)}
.figures dd{margin:0;font-size:1.7rem;font-weight:640;line-height:1.2;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%;font-size:.93rem;text-align:left}
th,td{padding:.45rem .7rem .45rem 0;vertical-align:top;border-bottom:1px solid var(--rule)}
th{font-weight:600}
thead th{color:var(--quiet);font-size:.84rem;white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.scroll{overflow-x:auto;max-width:100%;
background:linear-gradient(90deg,var(--paper) 30%,transparent) 0 0/2.5rem 100% local,
linear-gradient(270deg,var(--paper) 30%,transparent) 100% 0/2.5rem 100% local,
linear-gradient(90deg,var(--rule),transparent) 0 0/.8rem 100% scroll,
linear-gradient(270deg,var(--rule),transparent) 100% 0/.8rem 100% scroll;background-repeat:no-repeat}
code{font:.88rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
"""

PAGE_STYLE = (
    f":root{{color-scheme:light dark;{_LIGHT}}}@media screen and (prefers-color-scheme:dark){{:root{{{_DARK}}}}}{_TEXT}"
).replace("\n", "")
"""The rules that others of a page follow. ``.scroll`` is a box that scrolls sideways."""
