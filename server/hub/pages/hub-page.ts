import type { GateForm, GateQuestion } from '../gates/gate-form.ts'
import type { AnyRepoType } from '../../contract/words/hub-words.ts'
import { html, type Html } from '../../core/html.ts'
import { type PageSession, renderPage } from './layout.ts'
import type { AccountKind } from '../../contract/words/account-words.ts'

export interface RepoLink {
  type: AnyRepoType
  name: string
  path: string
  isPrivate: boolean
}

export interface AccountLink {
  name: string
  fullname: string
  avatarUrl: string
}

export interface AccountPage {
  account: AccountLink
  kind: AccountKind
  /** PRO, or the plan. */
  badge?: string
  /** Organizations of a user, members of an organization. */
  related: readonly AccountLink[]
  repos: readonly RepoLink[]
  session: PageSession | undefined
}

/** Page of a user or an organization. */
export function renderAccountPage(page: AccountPage): string {
  const { account, kind, badge, related, repos } = page
  return renderPage({
    title: account.fullname,
    session: page.session,
    body: html` ${heading(account, html`<bdi>${account.fullname}</bdi>${badge !== undefined && tag(badge)}`, `${account.name} · ${kind}`)}
    ${section(kind === 'user' ? 'Organizations' : 'Members', related.map(accountRow))}
    ${section('Repos', repos.map(repoRow))}
    ${repos.length === 0 && html`<p class="soft">No repo that you may see.</p>`}
    ${dashboardLink('people')}`,
  })
}

export interface RepoPage {
  repo: RepoLink
  id: string
  owner: AccountLink
  gated: boolean
  /** State of the viewer's access to a gated repo; absent with access. */
  gate?: 'anonymous' | 'none' | 'pending' | 'rejected'
  /** Questions to a viewer who may ask for access. */
  form?: GateForm
  description?: string
  sdk?: string
  /** Numbers of its parts, by their labels. */
  counts: Readonly<Record<string, number>>
  updatedAt: string
  session: PageSession | undefined
}

/** Page of a repo. */
export function renderRepoPage(page: RepoPage): string {
  const { repo, owner, sdk, description } = page
  const kind = sdk === undefined ? repo.type : `${repo.type} (${sdk})`
  return renderPage({
    title: repo.name,
    session: page.session,
    body: html` ${heading(owner, html`${repo.name}${repo.isPrivate && tag('private')}${page.gated && tag('gated')}`, html`${kind} of <bdi><a href="/${owner.name}">${owner.fullname}</a></bdi>`)}
      ${description !== undefined && html`<p><bdi>${description}</bdi></p>`} ${gate(page)}
      <dl class="facts">
        ${Object.entries(page.counts).map(([label, count]) => fact(label, count))}
        ${fact('Updated', page.updatedAt)}
      </dl>
      ${dashboardLink(`repos?open=${page.id}`)}`,
  })
}

/** Form that requests access to the files, or a sentence that says why there is no form. */
function gate({ gate: state, repo, form }: RepoPage): Html | false {
  if (state === 'none') {
    const { heading: title, description: lead, prompt, button, questions = [] } = form ?? {}
    return html`<form method="post" action="${repo.path}/ask-access">
      ${title !== undefined && html`<h2><bdi>${title}</bdi></h2>`}
      <p>${lead ?? 'You need access to see the files of this repo.'}</p>
      ${prompt !== undefined && html`<p class="prompt"><bdi>${prompt}</bdi></p>`}
      ${questions.map(gateQuestion)}
      <div class="actions"><button class="main">${button ?? 'Ask for access'}</button></div>
    </form>`
  }
  if (state === undefined) return false
  return html`<p>${gateTexts[state]}</p>`
}

function gateQuestion({ name, kind, options }: GateQuestion): Html {
  if (kind === 'checkbox') {
    return html`<label class="choice"
      ><input type="checkbox" name="${name}" value="true" required /> <bdi>${name}</bdi></label
    >`
  }
  const input =
    kind === 'select'
      ? html`<select class="text" name="${name}" required>
          <option value="">Choose one</option>
          ${options.map((option) => html`<option>${option}</option>`)}
        </select>`
      : html`<input class="text" type="${kind}" name="${name}" maxlength="1000" required />`
  return html`<p>
    <label><bdi>${name}</bdi> ${input}</label>
  </p>`
}

const gateTexts = {
  anonymous: 'Sign in to ask for access to the files of this repo.',
  pending: 'You have asked for access to the files of this repo. Its owner has not decided yet.',
  rejected: 'Your request to access the files of this repo was rejected.',
}

function heading({ avatarUrl }: AccountLink, title: Html, line: Html | string): Html {
  return html`<div class="app">
    <img src="${avatarUrl}" alt="" />
    <div>
      <h1>${title}</h1>
      <small>${line}</small>
    </div>
  </div>`
}

function tag(text: string): Html {
  return html`<span class="badge">${text}</span>`
}

function section(title: string, rows: readonly Html[]): Html | false {
  return (
    rows.length > 0 &&
    html`<h2>${title}</h2>
      <ul class="plain rows">
        ${rows}
      </ul>`
  )
}

function accountRow({ name, fullname, avatarUrl }: AccountLink): Html {
  return html`<li>
    <a href="/${name}"><img src="${avatarUrl}" alt="" /><bdi>${fullname}</bdi></a
    ><small>${name}</small>
  </li>`
}

function repoRow({ type, name, path, isPrivate }: RepoLink): Html {
  return html`<li>
    <a href="${path}">${name}</a><small>${type}${isPrivate && ', private'}</small>
  </li>`
}

function fact(name: string, value: string | number): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

function dashboardLink(place: string): Html {
  return html`<p class="onward"><a href="/_sandbox/${place}">See all of it in the dashboard</a></p>`
}

/** Shown to browsers where there is nothing, or nothing that they may see: the same page for both. */
export function renderMissingPage(page: {
  title: string
  message: string
  session: PageSession | undefined
  /** Path to return to after a sign-in, which may show more. Absent = the page offers none. */
  signInFor?: string | undefined
}): string {
  const { signInFor } = page
  return renderPage({
    title: page.title,
    session: page.session,
    body: html` <h1>${page.title}</h1>
      <p>${page.message}</p>
      ${
        signInFor !== undefined &&
        html`<p>It may be private. Sign in to see what your account can see.</p>
          <form method="get" action="/login">
            <input type="hidden" name="next" value="${signInFor}" />
            <button class="main">Sign in</button>
          </form>`
      }
      <p class="onward"><a href="/_sandbox/">Go to the dashboard</a></p>`,
  })
}
