import { declarations } from '../../contract/look.ts'

/** Stylesheet of the login, consent, device, error, user and repo pages; the look is the dashboard's. */
export const pagesStylesheet = `
:root {
${declarations('light')}
}
@media (prefers-color-scheme: dark) {
  :root {
${declarations('dark')}
  }
}
* { box-sizing: border-box; }
html { font: 16px/1.5 var(--sans); font-variant-numeric: tabular-nums; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  background: var(--canvas); color: var(--ink); padding: 4vh 1rem 1rem;
  overflow-wrap: anywhere; }
main { width: 100%; max-width: 29rem; background: var(--surface); border: 1px solid var(--line);
  border-radius: 12px; padding: 1.75rem 1.75rem 1.5rem; }
p.account { width: 100%; max-width: 29rem; display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem;
  margin: 0; padding: 0 .25rem .75rem; color: var(--muted); font-size: .875rem; }
.account span { min-width: 0; }
.account strong { color: var(--ink); }
.account .ways { display: flex; gap: 1rem; }
.account button { font: inherit; padding: 0; border: 0; background: none; color: var(--accent); text-decoration: underline; cursor: pointer; }
footer { margin-top: auto; padding: 1.5rem 0 .5rem; color: var(--muted); font-size: .8125rem; text-align: center; }
footer p { margin: 0; }
header { width: 100%; max-width: 29rem; }
.brand { display: flex; align-items: center; gap: .6rem; margin: 0; padding: 0 .25rem .9rem; font-weight: 600; letter-spacing: -.01em; }
.brand svg { width: 1.75rem; height: 1.75rem; flex: none; }
/* A box of its own, since a name may also end what holds its direction of writing inside it (U+2069). */
bdi { display: inline-block; max-width: 100%; }
h1 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .35rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: .95rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 .75rem; }
.soft, small { color: var(--muted); font-size: .875rem; }
code { font: .875em var(--mono); }
a { color: var(--accent); }
.app { display: flex; gap: .9rem; align-items: center; margin-bottom: 1.1rem; }
.app img { width: 3rem; height: 3rem; border-radius: 11px; flex: none; }
.app h1 { margin: 0; }
.links { display: flex; flex-wrap: wrap; gap: .15rem 1rem; margin: -.35rem 0 0; font-size: .875rem; }
.links li { min-width: 0; }
.links bdi { display: inline; }
ul.plain { list-style: none; margin: 0; padding: 0; }
.people form { margin: 0; }
.people button, .choice { width: 100%; display: flex; gap: .8rem; align-items: center; text-align: left;
  padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: none; color: inherit; font: inherit; cursor: pointer; }
.people li + li, .choices li + li { margin-top: .5rem; }
.people button:hover, .choice:hover { border-color: var(--accent); background: var(--accent-soft); }
.people img, .choice img { width: 2.25rem; height: 2.25rem; border-radius: 50%; flex: none; }
.people span, .choice span { min-width: 0; }
.choice img { border-radius: 8px; width: 1.75rem; height: 1.75rem; }
.choice input { width: 1.1rem; height: 1.1rem; accent-color: var(--accent); margin: 0; flex: none; }
.choice.barred { cursor: not-allowed; opacity: .75; }
.choice.barred:hover { border-color: var(--line); background: none; }
.people strong, .choice strong { display: block; font-weight: 600; }
.badge { display: inline-block; margin-left: .4rem; padding: 0 .4rem; border-radius: 5px; background: var(--accent-soft);
  color: var(--accent); font-size: .6875rem; font-weight: 600; vertical-align: .1em; }
.scopes li { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-top: 1px solid var(--line); }
.scopes li:first-child { border-top: 0; }
.scopes code { color: var(--muted); white-space: nowrap; padding-top: .1em; }
.actions { display: flex; gap: .6rem; margin-top: 1.5rem; }
.actions button { flex: 1; }
button.main, button.other { font: inherit; font-weight: 600; padding: .65rem 1rem; border-radius: 8px; cursor: pointer; border: 1px solid transparent; }
button.main { background: var(--accent); color: var(--on-accent); }
button.main:hover { background: var(--accent-strong); }
button.other { background: none; color: inherit; border-color: var(--line-strong); }
button.other:hover { border-color: var(--ink); }
::selection { background: var(--accent-soft); color: var(--ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.notice { border-radius: 8px; padding: .7rem .85rem; margin: 0 0 1rem; font-size: .9375rem; }
.notice.warn { background: var(--warn-soft); color: var(--warn); }
.notice.bad { background: var(--bad-soft); color: var(--bad); }
label.field { display: block; font-weight: 600; margin-bottom: .35rem; }
select.text, input.text { width: 100%; font: inherit; padding: .6rem .75rem; border: 1px solid var(--line-strong); border-radius: 8px;
  background: var(--canvas); color: inherit; }
input.code { font: 600 1.5rem var(--mono); letter-spacing: .14em; text-align: center; text-transform: uppercase; }
p.prompt { white-space: pre-line; overflow-wrap: anywhere; }
main > :last-child { margin-bottom: 0; }
form + p { margin-top: 1rem; }
.usercode { white-space: nowrap; font: 600 1.35rem var(--mono); letter-spacing: .12em; }
ul.rows li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .45rem 0; border-top: 1px solid var(--line); }
ul.rows li:first-child { border-top: 0; }
ul.rows a { display: flex; gap: .6rem; align-items: center; min-width: 0; }
ul.rows img { width: 1.5rem; height: 1.5rem; border-radius: 6px; flex: none; }
.app div { min-width: 0; }
dl.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(5.5rem, 1fr)); gap: 0 1rem; }
.onward { margin-top: 1.25rem; }
dl { margin: 1rem 0 0; font-size: .875rem; }
dt { color: var(--muted); }
dd { margin: 0 0 .6rem; }
.done { font-size: 2rem; line-height: 1; margin-bottom: .75rem; }
@media (max-width: 30rem) {
  body { padding-top: 1rem; }
  main { padding: 1.25rem 1.1rem; }
  .actions { flex-direction: column; }
}
`
