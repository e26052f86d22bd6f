import { declarations } from '../../../contract/look.ts'

/** Stylesheet of a report, for light and dark screens and for paper. */
export const reportStyle = `
:root {
${declarations('light')}
}
@media screen and (prefers-color-scheme: dark) {
  :root {
${declarations('dark')}
  }
}
* { box-sizing: border-box; }
html { font: 15px/1.5 var(--sans); font-variant-numeric: tabular-nums; background: var(--canvas); color: var(--ink); }
body { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 0 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .35rem; }
p { margin: 0 0 .5rem; }
a { color: var(--accent); }
section, article { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 1rem 0; }
.lead { font-size: 1.05rem; }
.soft, footer { color: var(--muted); font-size: .875rem; }
p.warn { color: var(--warn); }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 6px; font-size: .8125rem; font-weight: 600; background: var(--sunken); color: var(--ink); }
.badge.ok { background: var(--ok-soft); color: var(--ok); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .15rem 1rem; margin: 0 0 .75rem; }
dt { color: var(--muted); }
dd { margin: 0; min-width: 0; }
.wide { overflow-x: auto; margin: 0 0 .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); }
th { color: var(--muted); font-weight: 500; }
td:nth-child(2) { font-family: var(--mono); }
pre { font: .8125rem/1.5 var(--mono); white-space: pre-wrap; background: var(--sunken); border-radius: 8px; padding: .75rem; margin: .35rem 0; }
summary { cursor: pointer; color: var(--accent); }
details { margin: 0 0 .35rem; }
ol.steps { margin: 1rem 0 0; padding-left: 1.75rem; }
ol.steps > li { border-top: 1px solid var(--line); padding: .75rem 0; }
ul.contents { columns: 2 20rem; padding-left: 1.25rem; font-size: .875rem; }
ul.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; list-style: none; padding: 0; margin: 1rem 0; }
ul.numbers li { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: .75rem 1rem; }
ul.numbers b { font-size: 1.5rem; }
.verdict { font-size: 1.15rem; }
.verdict .badge { font-size: 1rem; padding: .1rem .6rem; margin-right: .35rem; }
.failures ul { padding-left: 1.25rem; margin: 0; }
.failures li { margin: 0 0 .35rem; }
details.group > summary h2 { display: inline; }
details.group { margin: 1rem 0; }
svg { max-width: 100%; height: auto; font: 12px var(--sans); }
svg text { text-anchor: middle; fill: var(--ink); }
svg .actor { font-weight: 600; font-size: 13px; }
svg .lane { stroke: var(--line); }
svg .note { fill: var(--muted); }
svg .arrow { stroke: var(--muted); }
svg .arrow.inferred { stroke-dasharray: 4 4; }
svg .tip { fill: var(--muted); }
svg text.bad { fill: var(--bad); }
svg .arrow.bad { stroke: var(--bad); }
svg .tip.bad { fill: var(--bad); }
svg text.warn { fill: var(--warn); }
svg .arrow.warn { stroke: var(--warn); }
svg .tip.warn { fill: var(--warn); }
@media screen and (max-width: 40rem) { table { min-width: 36rem; } dl { grid-template-columns: 1fr; } dd { margin-bottom: .35rem; } }
@media print {
  html { background: none; font-size: 12px; }
  body { max-width: none; padding: 0; }
  section, article { border: 0; border-top: 1px solid var(--line-strong); border-radius: 0; padding: .75rem 0; }
  details::details-content { content-visibility: visible; display: block; }
  h2, h3, tr { break-after: avoid; break-inside: avoid; }
}
`
