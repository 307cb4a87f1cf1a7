"""The look of a report: light and dark, narrow and wide, screen and paper. No font, picture or file from elsewhere."""

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
_PAGE = """
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
h4{font-size:.86rem;font-weight:650;margin-bottom:.4rem;color:var(--quiet)}
.eyebrow{font-size:.86rem;font-weight:650;color:var(--accent);margin-bottom:.5rem}
.lead,.quiet,.citation,.by,.where,.copyright,figcaption,caption,footer{color:var(--quiet)}
.lead{margin-top:.7rem}
.quiet{font-size:.93rem}
.top{padding-top:clamp(1.6rem,5vw,3.4rem)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:1rem 2rem;margin-top:1.8rem;
padding-block:1rem;border-block:1px solid var(--rule)}
.figures dt{font-size:.86rem;color:var(--quiet)}
.figures dd{margin:0;font-size:1.7rem;font-weight:640;line-height:1.2;font-variant-numeric:tabular-nums}
nav{margin-top:.8rem}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;font-size:.93rem}
nav a{display:inline-block;padding-block:.25rem}
main>section{padding-top:2.6rem}
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
.query{padding:.9rem 0;border-bottom:1px solid var(--rule)}
.query h3{font-size:.86rem;color:var(--quiet)}
h2+.query{padding-top:0}.query:last-child{border-bottom:0}
code{font:.88rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
.query code{display:block}
.query p{font-size:.93rem;color:var(--quiet);margin-top:.3rem}
.query p code{display:inline}
"""
_FIGURES = """
.flow{display:grid;gap:1.6rem;max-width:46rem}
.flow>li{display:grid;grid-template-columns:minmax(0,15rem) minmax(0,1fr);gap:0 2.4rem;align-items:start;
position:relative}
.flow .box,.flow .left{border:1px solid var(--rule);border-radius:.4rem;padding:.6rem .9rem;position:relative}
.flow .box{background:var(--panel);height:100%}
.flow .box strong{display:block;font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.flow .what{font-size:.86rem;color:var(--quiet);display:block}
.flow .box ul{font-size:.86rem;color:var(--quiet);margin-top:.25rem}
.flow .left ul{font-size:.93rem}
.flow .left li{display:flex;justify-content:space-between;gap:1rem}
.flow .left b{font-variant-numeric:tabular-nums;font-weight:640}
.flow .left .none,.flow .left .none b{color:var(--quiet);font-weight:400}
.flow .left::before{content:"";position:absolute;right:100%;top:1.4rem;width:2.4rem;border-top:1px solid var(--quiet)}
.flow .left::after{content:"";position:absolute;right:calc(100% + 1px);top:calc(1.4rem - .22rem);
border:.25rem solid transparent;border-left-color:var(--quiet);border-right:0}
.flow>li:not(:last-child)::before{content:"";position:absolute;left:1.7rem;top:100%;height:1.6rem;
border-left:1px solid var(--quiet)}
.flow>li:not(:last-child)::after{content:"";position:absolute;left:calc(1.7rem - .22rem);top:calc(100% + 1.34rem);
border:.25rem solid transparent;border-top-color:var(--quiet);border-bottom:0}
.flow>li:last-child .box{background:var(--accent);border-color:var(--accent)}
.flow>li:last-child .box,.flow>li:last-child .what{color:var(--paper)}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:2rem 3rem;align-items:start}
.pair>*{min-width:0}
svg{display:block;width:100%;max-width:34rem;height:auto}
svg text{fill:var(--quiet);font-size:10.5px}
svg .strong{fill:var(--ink);font-weight:600;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
svg .grid{stroke:var(--rule)}svg .axis{stroke:var(--quiet)}
svg .median{stroke:var(--ink);stroke-dasharray:3 2.5}
svg .ranked{fill:var(--bar)}svg .other{fill:var(--other)}
figcaption{font-size:.86rem;margin-top:.4rem}
.key{display:inline-block;width:.8em;height:.8em;border-radius:.15em;margin-right:.3em;background:var(--bar)}
.key.other{background:var(--other);margin-left:.9em}
caption{font-size:.86rem;text-align:left;padding-bottom:.4rem}
.heat{width:auto;font-size:.86rem}
.heat th,.heat td{border:0;padding:.38rem .55rem;text-align:center;vertical-align:middle;white-space:normal}
.heat th{max-width:12rem}
.heat thead th{font-size:.8rem;vertical-align:bottom;line-height:1.2}
.heat th[scope=row]{text-align:left;padding-left:0;min-width:6.5rem;line-height:1.2}
.heat td{border:2px solid var(--paper);font-variant-numeric:tabular-nums;min-width:3.6rem;border-radius:.3rem}
.heat .self{color:var(--quiet);background:var(--panel)}
"""
_HEAT = "".join(
    f".heat .{sign}{step}{{background:hsl({hue} var(--heat-s) calc(var(--heat-l) + {step}*var(--heat-step)))}}"
    for sign, hue in (("p", 189), ("n", 28))
    for step in range(1, 5)
)
_MARKS = "".join(
    f".m{place}{{background:hsl({hue} var(--mark-s) var(--mark-l))}}"
    for place, hue in enumerate((48, 189, 330, 95, 262, 22, 152, 215))
)
_ARTICLES = """
.ranking{min-width:44rem}
.ranking td:nth-child(3){min-width:15rem}
.ranking td:nth-child(2){width:7rem}
.ranking .rank{font-weight:640;font-variant-numeric:tabular-nums}
.ranking a{font-weight:600}
.by{display:block;font-size:.86rem}
.figure{font-variant-numeric:tabular-nums}
.bar{display:block;height:.4rem;border-radius:.2rem;background:var(--track);margin-top:.25rem;min-width:5rem;overflow:hidden}
.bar>span{display:block;height:100%;background:var(--bar)}
.bar.missing{background:repeating-linear-gradient(90deg,var(--track) 0 .3rem,transparent .3rem .55rem)}
.flags{display:flex;flex-wrap:wrap;gap:.3rem .4rem;margin-top:.45rem}
.flags li{font-size:.84rem;font-weight:600;padding:.08rem .5rem;border-radius:.25rem}
.flags a{color:inherit}
.grave{color:var(--grave);background:var(--grave-panel)}
.doubtful{color:var(--doubt);background:var(--doubt-panel)}
.mild{color:var(--mild);background:var(--mild-panel)}
.card{border-top:1px solid var(--rule);padding-block:1.6rem;scroll-margin-top:.5rem}
.card:first-of-type{border-top:0;padding-top:0}
.card h3{display:grid;grid-template-columns:2rem minmax(0,1fr);max-width:56rem}
.card .place{color:var(--quiet);font-variant-numeric:tabular-nums}
.card>header>:not(h3){margin-left:2rem}
.citation{font-size:.93rem;margin-top:.25rem}
.body{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,7fr);gap:1.2rem 3rem;margin:1.1rem 0 0 2rem}
.facts{display:grid;grid-template-columns:minmax(0,1fr);gap:1.4rem;align-content:start}
.sum{font-size:.93rem;font-variant-numeric:tabular-nums;margin-bottom:.3rem}
.scores,.features{font-size:.88rem;overflow-wrap:anywhere}
.scores th:first-child{width:44%}
.scores,.features{table-layout:fixed}.scores th:last-child{width:5rem}
.scores th,.scores td,.features th,.features td{padding-block:.32rem}
.scores tr:last-child>*,.features tr:last-child>*{border-bottom:0}
.scores tbody th,.features th{font-weight:500;line-height:1.4}
.features th{width:42%}
.features td{font-weight:600;line-height:1.4}
.where{display:block;font-size:.82rem;font-weight:400}
.swatch{display:inline-block;width:.75em;height:.75em;border-radius:.15em;margin-right:.4em;
box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--ink) 28%,transparent)}
.abstract{max-width:42rem}
.abstract p{line-height:1.72}
.abstract p+p{margin-top:.55rem}
.abstract b{font-weight:650}
mark{color:inherit;border-radius:.2em;padding:.08em .12em;
-webkit-box-decoration-break:clone;box-decoration-break:clone}
mark.several{box-shadow:inset 0 -.13em 0 var(--ink)}
mark[data-begins]::before{content:attr(data-begins);
font-size:.68em;font-weight:600;margin-right:.4em;padding:.05em .35em;
border-radius:.25em;background:var(--paper);color:var(--ink);vertical-align:.1em;overflow-wrap:anywhere}
.copyright{font-size:.82rem;margin-top:.6rem}
.notices li{padding:.45rem 0;border-bottom:1px solid var(--rule)}
.notices li:last-child{border-bottom:0}
.methods{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.35rem 1.5rem;
margin-bottom:1.6rem;font-size:.93rem}
.methods dt{color:var(--quiet)}.methods dd{margin:0}
footer{font-size:.86rem;padding-block:2.6rem 3rem}
"""
_NARROW = """
@media (max-width:52rem){.body{grid-template-columns:minmax(0,1fr);margin-left:0}.card>header>:not(h3){margin-left:0}
.card h3{grid-template-columns:1.6rem minmax(0,1fr)}}
@media (max-width:36rem){.flow>li{grid-template-columns:minmax(0,1fr);gap:.8rem 0}.flow .left{margin-left:1.7rem}
.flow .left::before{right:auto;left:-.9rem;width:.9rem}.flow .left::after{right:auto;left:-.28rem}
.flow>li:has(.left)::before{top:auto;bottom:-1.6rem;height:calc(100% + 1.6rem);z-index:-1;left:.8rem}
.flow>li:has(.left)::after{left:calc(.8rem - .22rem)}
.flow>li:not(:has(.left))::before{left:.8rem}.flow>li:not(:has(.left))::after{left:calc(.8rem - .22rem)}
.methods{grid-template-columns:minmax(0,1fr);gap:0}.methods dd{margin-bottom:.6rem}
.figures{grid-template-columns:repeat(2,minmax(0,1fr))}}
"""
_PAPER = """
@media print{body{font-size:10pt}nav{display:none}.scroll{overflow:visible}.ranking{min-width:0}
.card,.flow>li,tr,figure{break-inside:avoid}.card{break-inside:auto}h2,h3,h4,.card>header{break-after:avoid}
mark,.bar,.bar>span,.heat td,.flags li,.flow .box,.swatch,.key{
print-color-adjust:exact;-webkit-print-color-adjust:exact}
a{color:inherit}}
"""

STYLE = (
    f":root{{color-scheme:light dark;{_LIGHT}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_DARK}}}}}"
    f"{_PAGE}{_FIGURES}{_HEAT}{_MARKS}{_ARTICLES}{_NARROW}{_PAPER}"
).replace("\n", "")
