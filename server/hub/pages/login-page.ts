import { loginAddress } from '../oauth/login-address.ts'
import type { User } from '../../store/entities/account-entities.ts'
import { html, type Html } from '../../core/html.ts'
import { type PageSession, renderPage } from './layout.ts'

export interface LoginPage {
  users: readonly { user: User; avatarUrl: string }[]
  /** Path to go on to. */
  next: string
  /** Tells a repeated post of a form from another sign-in. */
  nonce: string
  session?: PageSession | undefined
  /** Request that the user signs in for. */
  appName?: string
  /** User that the app expects (`login_hint`, `id_token_hint`), listed first. */
  suggested?: User
  /** Whether the app accepts this user only. */
  isOnlyFor?: boolean
  /** User whose password is requested, and the error of the last attempt. */
  passwordFor?: { user: User; avatarUrl: string; error?: string }
}

/** The login page: the fixture users to pick from; a user with a password types it on a second page. */
export function renderLoginPage(page: LoginPage): string {
  if (page.passwordFor !== undefined) return renderPasswordPage(page, page.passwordFor)
  const { suggested } = page
  const users = page.users.toSorted(
    (a, b) => Number(b.user === suggested) - Number(a.user === suggested),
  )
  return renderPage({
    title: 'Sign in',
    session: page.session,
    body: html` <h1>
        Sign in${page.appName !== undefined && html` to go on to <bdi>${page.appName}</bdi>`}
      </h1>
      <p class="soft">
        Pick one of the sandbox's
        users${page.session !== undefined && html`; you are signed in as <strong>${page.session.username}</strong>`}.
      </p>
      ${
        suggested !== undefined &&
        page.isOnlyFor === true &&
        html`<p class="notice warn">
          The app asks for <strong>${suggested.username}</strong> and accepts no other user.
        </p>`
      }
      <ul class="plain people">
        ${users.map((entry) =>
          userButton(entry, page, {
            isSuggested: entry.user === suggested,
            isSignedIn: entry.user.username === page.session?.username,
          }),
        )}
      </ul>
      ${page.users.length === 0 && html`<p class="notice warn">The fixtures have no users. Add one to sign in.</p>`}`,
  })
}

function userButton(
  { user, avatarUrl }: LoginPage['users'][number],
  { next, nonce }: LoginPage,
  { isSuggested, isSignedIn }: { isSuggested: boolean; isSignedIn: boolean },
): Html {
  return html` <li>
    <form method="post" action="/login">
      <input type="hidden" name="nonce" value="${nonce}" />
      <input type="hidden" name="next" value="${next}" />
      <button name="user" value="${user.username}" ${isSuggested && html` autofocus`}>
        <img src="${avatarUrl}" alt="" width="36" height="36" />
        <span
          ><strong
            ><bdi>${user.fullname}</bdi
            >${user.isPro && html`<span class="badge">PRO</span>`}${isSuggested && html`<span class="badge">suggested</span>`}${isSignedIn && html`<span class="badge">signed in</span>`}</strong
          ><small>${user.username} · <bdi>${user.email}</bdi></small></span
        >
      </button>
    </form>
  </li>`
}

function renderPasswordPage(
  page: LoginPage,
  { user, avatarUrl, error }: NonNullable<LoginPage['passwordFor']>,
): string {
  return renderPage({
    title: 'Password',
    session: page.session,
    body: html` <div class="app">
        <img src="${avatarUrl}" alt="" />
        <h1>Sign in as <bdi>${user.fullname}</bdi></h1>
      </div>
      ${error !== undefined && html`<p class="notice bad" role="alert">${error}</p>`}
      <form method="post" action="/login">
        <input type="hidden" name="nonce" value="${page.nonce}" />
        <input type="hidden" name="next" value="${page.next}" /><input
          type="hidden"
          name="user"
          value="${user.username}"
        />
        <label class="field" for="password">Password</label>
        <input
          class="text"
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus
        />
        <div class="actions"><button class="main">Sign in</button></div>
      </form>
      <p class="soft"><a href="${loginAddress(page.next)}">Another user</a></p>`,
  })
}
