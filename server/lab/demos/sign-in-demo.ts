import { createHash } from 'node:crypto'
import { localhostAddresses } from '../../core/loopback.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { own } from '../../core/own.ts'
import { type Browser, createBrowser, type BrowserPlace } from './demo-browser.ts'
import type { Decision } from '../../contract/words/oauth-words.ts'
import type { Callback } from './callback.ts'
import { type CastApp, type CastUser, pickApp, pickUser, refuse } from './cast.ts'
import { type AppResponse, getWith, postAs, refusalOf, requireText } from './client.ts'
import { type Mistake, scopesOf, signInPart } from './mistakes.ts'
import { checkIdToken } from './check-id-token.ts'
import type { Cue, Ending, Scene, Script } from './scene.ts'

/** Loopback hosts, whose ports are not compared (RFC 8252 §7.3). */
const anyPortHosts = new Set(['localhost', ...localhostAddresses])

/** A run of the authorization code flow by an app. */
export interface Attempt {
  scene: Scene
  app: CastApp
  user: CastUser
  mistake: Partial<Mistake>
  /** Scope of the authorization request; omitted if empty. */
  scope: string
  state: string
  verifier: string
  /** Nonce of the authorization request; absent without the scope `openid`. */
  nonce: string | undefined
  redirectUri: string
  callback: Callback | undefined
  /** Browser of the user, with the session of an earlier attempt. */
  browser: Browser
  prompt: 'none' | 'consent' | undefined
  decision: Decision
}

/** The authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636), up to the claims of the user. */
export async function* signIn(scene: Scene, mistake: Partial<Mistake> = {}): Script {
  const attempt = await begin(scene, mistake)
  try {
    const came = yield* askUser(attempt)
    if (!(came instanceof URL)) return withFix(attempt, came)
    return withFix(attempt, yield* redeem(attempt, came))
  } finally {
    attempt.callback?.close()
  }
}

/** Chooses app and user, and what the app sends. */
export async function begin(scene: Scene, mistake: Partial<Mistake> = {}): Promise<Attempt> {
  const app = pickApp(scene.cast, mistake.part ?? signInPart, scene.clientId)
  const user = pickUser(scene.cast, app, scene.user)
  scene.plays(app, user)
  const decision = mistake.denied === true ? 'deny' : scene.decision
  const fresh = freshValues(scene, scopesOf(scene, app))
  const callback = await callbackFor(scene, app, mistake, fresh.state)
  return {
    ...fresh,
    scene,
    app,
    user,
    mistake,
    redirectUri: mistake.redirectUri?.(app) ?? callback?.url ?? registeredUri(app),
    callback,
    browser: createBrowser(scene),
    // A user who approved the app before would skip the consent page.
    prompt: decision === 'deny' ? 'consent' : undefined,
    decision,
  }
}

/** Repeats the flow in the same browser, with values of its own. */
export function beginAgain(
  attempt: Attempt,
  changes: Partial<Pick<Attempt, 'scope' | 'prompt' | 'decision' | 'browser'>>,
): Attempt {
  const { scene, scope } = attempt
  const redirectUri = registeredUri(attempt.app)
  const fresh = freshValues(scene, changes.scope ?? scope)
  return { ...attempt, redirectUri, callback: undefined, ...changes, ...fresh }
}

/** Creates the values that an app uses for one request only. */
function freshValues({ ids }: Scene, scope: string) {
  return {
    scope,
    state: ids.alphanumeric(16),
    verifier: Buffer.from(ids.bytes(32)).toString('base64url'),
    nonce: scope.split(' ').includes('openid') ? ids.alphanumeric(16) : undefined,
  }
}

/** Returns a loopback redirect URI of the app, for which the demo can listen on a free port. */
function loopbackUri({ redirectUris }: CastApp): URL | undefined {
  const uris = redirectUris.flatMap((uri) => (URL.canParse(uri) ? { uri, url: new URL(uri) } : []))
  const found = uris
    // A URI without a path, or with a query, would differ from the registered string when parsed.
    .filter(({ uri, url }) => url.protocol === 'http:' && uri.endsWith(url.pathname))
    .filter(({ url }) => anyPortHosts.has(url.hostname))
    .map(({ url }) => url)
  return found.find(({ pathname }) => pathname.endsWith('/callback')) ?? found[0]
}

function registeredUri(app: CastApp): string {
  return loopbackUri(app)?.href ?? app.redirectUris[0] ?? ''
}

/** Opens the callback page if a person may take over the sign-in. */
async function callbackFor(
  scene: Scene,
  app: CastApp,
  mistake: Partial<Mistake>,
  state: string,
): Promise<Callback | undefined> {
  const isByPerson = scene.answeredBy === 'person'
  if (mistake.part !== undefined || (scene.pace === 'at-once' && !isByPerson)) return undefined
  const uri = loopbackUri(app)
  if (uri !== undefined && scene.openCallback !== undefined) {
    return scene.openCallback(uri.hostname, uri.pathname, state)
  }
  if (!isByPerson) return undefined
  return refuse(
    'answeredBy',
    uri === undefined
      ? `A person’s browser cannot be redirected to ${app.name}: the app needs a redirect URI such as http://localhost/callback.`
      : 'A person’s browser cannot be redirected here: the URL of the sandbox is not an address of this machine. Let the sandbox answer.',
  )
}

function authorizationPath({
  app,
  scope,
  state,
  verifier,
  nonce,
  prompt,
  ...rest
}: Attempt): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: rest.redirectUri,
    ...(scope === '' ? {} : { scope }),
    state,
    ...omitUndefined({ nonce, prompt }),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `/oauth/authorize?${query.toString()}`
}

/**
 * Plays the browser: to the hub, through login and consent, and back.
 * @returns the URL of the redirect to the app, or the ending on a page of the hub
 */
export async function* askUser(attempt: Attempt): AsyncGenerator<Cue, URL | Ending, undefined> {
  const { scene, app, user, callback, browser, decision } = attempt
  const path = authorizationPath(attempt)
  const byPerson =
    callback === undefined ? {} : { url: `${scene.url}${path}`, elsewhere: callback.arrived }
  let arrived: URL | undefined
  void callback?.arrived.then((address) => (arrived = address))

  yield {
    name: 'authorization request',
    explanation: requestWords(attempt),
    ...byPerson,
  }
  if (scene.answeredBy === 'person' && callback !== undefined) {
    return scene.waitFor('Waiting for a person to sign in and decide.', callback.arrived)
  }
  let place: BrowserPlace = arrived === undefined ? await browser.open(path) : { left: arrived }
  if (isOn(place, '/login')) {
    yield {
      name: 'login',
      explanation: `The Hub shows the login page. ${user.username} signs in.`,
      ...byPerson,
    }
    place = arrived === undefined ? await logIn(browser, user, path) : { left: arrived }
  }
  if (isOn(place, '/oauth/authorize')) {
    yield {
      name: 'consent',
      explanation: `The Hub shows the scopes that ${app.name} requests. ${user.username} ${decision === 'deny' ? 'denies' : 'approves'} the request.`,
      ...byPerson,
    }
    place = arrived === undefined ? await browser.submit(path, { decision }) : { left: arrived }
  }
  return 'left' in place ? place.left : stoppedOn(place)
}

function requestWords({ app, prompt, scope }: Attempt): string {
  if (prompt === 'none')
    return `${app.name} sends an authorization request with prompt=none: the Hub may show no page.`
  return `${app.name} redirects the browser to the Hub with an authorization request${scope === '' ? '' : ` for ${scope}`}, and keeps the code verifier secret.`
}

/** Checks whether the browser shows this page, and it is not an error page. */
export function isOn(place: BrowserPlace, path: string): boolean {
  return 'page' in place && place.page.status < 400 && place.path.split('?', 1)[0] === path
}

export function logIn(browser: Browser, user: CastUser, next: string): Promise<BrowserPlace> {
  const { username, password } = user
  return browser.submit('/login', {
    user: username,
    next,
    ...(password === undefined ? {} : { password }),
  })
}

export function stoppedOn({ page, path }: Extract<BrowserPlace, { page: Reply }>): Ending {
  const [address = path] = path.split('?', 1)
  return {
    outcome: 'refused',
    explanation: `The Hub shows an error page with the reason (${page.status} at ${address}) and does not redirect to the app.`,
  }
}
type Reply = Extract<BrowserPlace, { path: string }>['page']

/** Plays the app, from the redirect to the claims. */
async function* redeem(attempt: Attempt, came: URL): AsyncGenerator<Cue, Ending, undefined> {
  const { app, mistake } = attempt
  const answer = yield* requestTokens(attempt, came)
  if ('outcome' in answer) return answer
  const who = yield* readUser(attempt, answer)
  if (typeof who === 'object') return who
  if (mistake.twice === true) {
    yield { name: 'token request', explanation: `${app.name} sends the same code a second time.` }
    return refusalOf(await sendCode(attempt, came)) ?? granted(app, who)
  }
  return granted(app, who)
}

/**
 * Plays the app at the token endpoint.
 * @returns the token response, or the ending on a refusal
 */
export async function* requestTokens(
  attempt: Attempt,
  came: URL,
): AsyncGenerator<Cue, AppResponse | Ending, undefined> {
  const { app } = attempt
  const problem = responseProblem(attempt, came)
  if (problem !== undefined) {
    return { outcome: 'refused', explanation: `${app.name} refuses the response: ${problem}.` }
  }
  if (!came.searchParams.has('code')) return refusedBy(came)
  yield {
    name: 'token request',
    explanation: `The browser returns with a code that can be used once. ${app.name} sends it to the Hub with the code verifier, which proves that the same app started the sign-in.`,
  }
  const answer = await sendCode(attempt, came)
  return refusalOf(answer) ?? answer
}

/** Returns why an app must refuse an authorization response (RFC 6749 §10.12, RFC 9207 §2.4). */
function responseProblem({ scene, state }: Attempt, { searchParams }: URL): string | undefined {
  if (searchParams.get('state') !== state) return 'its state differs from the one that the app sent'
  const iss = searchParams.get('iss')
  if (iss === null) return scene.announcesIss ? 'it has no iss, which the Hub announces' : undefined
  return iss === scene.issuer ? undefined : `its iss ${JSON.stringify(iss)} is not the Hub’s`
}

function sendCode(attempt: Attempt, came: URL): Promise<AppResponse> {
  const { scene, app, mistake } = attempt
  return postAs(scene, withSecret(app, mistake.secret), '/oauth/token', {
    grant_type: 'authorization_code',
    code: came.searchParams.get('code') ?? '',
    redirect_uri: attempt.redirectUri,
    code_verifier: mistake.verifier ?? attempt.verifier,
  })
}

function withSecret(app: CastApp, clientSecret: string | undefined): CastApp {
  return clientSecret === undefined ? app : { ...app, clientSecret }
}

function refusedBy({ searchParams }: URL): Ending {
  const { error = 'no code', error_description: why } = Object.fromEntries(searchParams)
  return { outcome: 'refused', explanation: why === undefined ? error : `${error}: ${why}` }
}

/**
 * Checks the ID token, and looks up the signed-in user with the access token.
 * @param nonce of the authorization request, if it had one
 * @returns the username, if the scopes allow it (another user than the planned one may have signed in); the ending if the
 * app refuses what it received
 */
export async function* readUser(
  { scene, app, scope, nonce }: Pick<Attempt, 'scene' | 'app' | 'scope' | 'nonce'>,
  answer: AppResponse,
): AsyncGenerator<Cue, string | Ending | undefined, undefined> {
  const token = requireText(answer, 'access_token')
  const accepted = await checkIdToken(scene, app, answer, nonce)
  if (accepted !== undefined && 'outcome' in accepted) return accepted
  const isOpenId = scope.split(' ').includes('openid')
  yield {
    name: isOpenId ? 'userinfo request' : 'API request',
    explanation:
      accepted === undefined
        ? 'The app uses the token to look up the user.'
        : 'The app checked the ID token, and uses the access token to look up the user.',
  }
  const reply = await getWith(scene, token, isOpenId ? '/oauth/userinfo' : '/api/whoami-v2')
  const refused = refusalOf(reply)
  if (refused !== undefined) return refused
  const { body } = reply
  if (isOpenId && accepted !== undefined && body['sub'] !== accepted.sub) {
    const explanation = `${app.name} refuses the userinfo response: its sub differs from that of the ID token.`
    return { outcome: 'refused', explanation }
  }
  const who = own(body, isOpenId ? 'preferred_username' : 'name')
  return typeof who === 'string' ? who : undefined
}

/** @param who username that the hub returned to the app */
export function granted(app: CastApp, who: string | undefined): Ending {
  const known = who === undefined ? '' : ` and knows that ${who} signed in`
  return { outcome: 'completed', explanation: `${app.name} has its token${known}.` }
}

function withFix({ mistake, app }: Attempt, ending: Ending): Ending {
  return ending.outcome === 'refused' && mistake.fix !== undefined
    ? { ...ending, fix: mistake.fix(app) }
    : ending
}
