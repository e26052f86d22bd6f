import { createHash } from 'node:crypto'
import { localhostAddresses } from '../../core/loopback.ts'
import { own } from '../../core/own.ts'
import { type Browser, createBrowser, type BrowserPlace } from './browser.ts'
import type { Callback } from './callback.ts'
import { type CastApp, type CastUser, pickApp, pickUser, refuse } from './cast.ts'
import { type AppAnswer, getWith, postAs, refusalOf, requireText } from './client.ts'
import { type Mistake, signInPart, usualScopes } from './mistakes.ts'
import type { Cue, Ending, Scene, Script } from './scene.ts'

/** Those whose port is not compared (RFC 8252 §7.3) and that this machine listens on. */
const anyPortHosts = new Set(['localhost', ...localhostAddresses])

interface Attempt {
  scene: Scene
  app: CastApp
  user: CastUser
  mistake: Partial<Mistake>
  /** Of the authorization request; an empty one is left out. */
  scope: string
  state: string
  verifier: string
  redirectUri: string
  callback: Callback | undefined
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

async function begin(scene: Scene, mistake: Partial<Mistake>): Promise<Attempt> {
  const app = pickApp(scene.cast, mistake.part ?? signInPart, scene.clientId)
  const user = pickUser(scene.cast, app, scene.user)
  scene.plays(app, user)
  const state = scene.ids.alphanumeric(16)
  const verifier = Buffer.from(scene.ids.bytes(32)).toString('base64url')
  const callback = await callbackFor(scene, app, mistake, state)
  const redirectUri = mistake.redirectUri?.(app) ?? callback?.url ?? registeredUri(app)
  const scope = usualScopes(app).join(' ')
  return { scene, app, user, mistake, scope, state, verifier, redirectUri, callback }
}

/** Where a browser can be sent back to that is no program of the user's own, on a port that is free. */
function loopbackUri({ redirectUris }: CastApp): URL | undefined {
  const uris = redirectUris.flatMap((uri) => (URL.canParse(uri) ? { uri, url: new URL(uri) } : []))
  const found = uris
    // A path that is not there, or a query, would come back as another text than is registered.
    .filter(({ uri, url }) => url.protocol === 'http:' && uri.endsWith(url.pathname))
    .filter(({ url }) => anyPortHosts.has(url.hostname))
    .map(({ url }) => url)
  return found.find(({ pathname }) => pathname.endsWith('/callback')) ?? found[0]
}

function registeredUri(app: CastApp): string {
  return loopbackUri(app)?.href ?? app.redirectUris[0] ?? ''
}

/** A page of a person's own is opened only where a person may answer. */
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
      ? `A person’s browser cannot be sent back to ${app.name}: that takes a redirect URI such as http://localhost/callback.`
      : 'A person’s browser cannot be sent back here: the sandbox is reached at an address that is not this machine’s own. Let the sandbox answer.',
  )
}

function authorizationPath({ app, scope, state, verifier, redirectUri, ...rest }: Attempt): string {
  const isOpenId = scope.split(' ').includes('openid')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    ...(scope === '' ? {} : { scope }),
    state,
    ...(isOpenId ? { nonce: rest.scene.ids.alphanumeric(16) } : {}),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    // Who has allowed it before would not be asked.
    ...(saysNo(rest) ? { prompt: 'consent' } : {}),
  })
  return `/oauth/authorize?${query.toString()}`
}

function saysNo({ scene, mistake }: Pick<Attempt, 'scene' | 'mistake'>): boolean {
  return mistake.denied === true || scene.decision === 'deny'
}

/**
 * The way of the browser: to the hub, through login and consent, and back.
 * @returns where it was sent back to, or how it ended on a page of the hub
 */
async function* askUser(attempt: Attempt): AsyncGenerator<Cue, URL | Ending, undefined> {
  const { scene, app, user, callback } = attempt
  const path = authorizationPath(attempt)
  const byPerson =
    callback === undefined ? {} : { url: `${scene.url}${path}`, elsewhere: callback.arrived }
  let arrived: URL | undefined
  void callback?.arrived.then((address) => (arrived = address))

  yield {
    name: 'authorization request',
    explanation: `${app.name} sends the browser to the hub with what it asks for, and keeps the code verifier to itself.`,
    ...byPerson,
  }
  if (scene.answeredBy === 'person' && callback !== undefined) {
    return scene.waitFor('Waiting for a person to sign in and to answer.', callback.arrived)
  }
  const browser = createBrowser(scene)
  let place: BrowserPlace = arrived === undefined ? await browser.open(path) : { left: arrived }
  if (isOn(place, '/login')) {
    yield {
      name: 'login',
      explanation: `The hub asks who sits at the browser. ${user.username} signs in.`,
      ...byPerson,
    }
    place = arrived === undefined ? await logIn(browser, user, path) : { left: arrived }
  }
  if (isOn(place, '/oauth/authorize')) {
    const answer = saysNo(attempt) ? 'deny' : 'approve'
    yield {
      name: 'consent',
      explanation: `The hub shows what ${app.name} asks for. ${user.username} ${answer === 'deny' ? 'says no' : 'allows it'}.`,
      ...byPerson,
    }
    place =
      arrived === undefined ? await browser.submit(path, { decision: answer }) : { left: arrived }
  }
  return 'left' in place ? place.left : stoppedOn(place)
}

/** Whether it is a page that asks something, rather than one that says what is wrong. */
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
    explanation: `The hub keeps the browser on a page of its own (${page.status} at ${address}) that says why; the app is told nothing.`,
  }
}
type Reply = Extract<BrowserPlace, { path: string }>['page']

/** From the redirect to the claims. */
async function* redeem(attempt: Attempt, came: URL): AsyncGenerator<Cue, Ending, undefined> {
  const { scene, app, mistake, state, scope } = attempt
  const code = came.searchParams.get('code')
  if (came.searchParams.get('state') !== state) {
    throw new Error('The hub sent another state back than it was sent, so the app goes no further.')
  }
  if (code === null) return refusedBy(came)
  const exchange = () =>
    postAs(scene, withSecret(app, mistake.secret), '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: attempt.redirectUri,
      code_verifier: mistake.verifier ?? attempt.verifier,
    })

  yield {
    name: 'token request',
    explanation: `The browser brings a code that works once. ${app.name} sends it to the hub with the code verifier, which proves that it is the one that asked.`,
  }
  const answer = await exchange()
  const refused = refusalOf(answer)
  if (refused !== undefined) return refused
  const who = yield* readUser(scene, answer, scope)
  if (mistake.twice === true) {
    yield { name: 'token request', explanation: `${app.name} sends the same code once more.` }
    return refusalOf(await exchange()) ?? granted(app, who)
  }
  return granted(app, who)
}

function withSecret(app: CastApp, clientSecret: string | undefined): CastApp {
  return clientSecret === undefined ? app : { ...app, clientSecret }
}

function refusedBy({ searchParams }: URL): Ending {
  const { error = 'no code', error_description: why } = Object.fromEntries(searchParams)
  return { outcome: 'refused', explanation: why === undefined ? error : `${error}: ${why}` }
}

/**
 * With the token the app reads who signed in.
 * @returns the username, where the scopes let it be told: it need not be the one that was meant to
 */
export async function* readUser(
  scene: Scene,
  answer: AppAnswer,
  scope: string,
): AsyncGenerator<Cue, string | undefined, undefined> {
  const token = requireText(answer, 'access_token')
  const isOpenId = scope.split(' ').includes('openid')
  yield {
    name: isOpenId ? 'userinfo request' : 'API request',
    explanation: 'With the token the app asks who signed in.',
  }
  const { body } = await getWith(scene, token, isOpenId ? '/oauth/userinfo' : '/api/whoami-v2')
  const who = own(body, isOpenId ? 'preferred_username' : 'name')
  return typeof who === 'string' ? who : undefined
}

/** @param who signed in, as the hub has told the app */
export function granted(app: CastApp, who: string | undefined): Ending {
  const known = who === undefined ? '' : `, and knows that ${who} signed in`
  return { outcome: 'completed', explanation: `${app.name} has its token${known}.` }
}

function withFix({ mistake, app }: Attempt, ending: Ending): Ending {
  return ending.outcome === 'refused' && mistake.fix !== undefined
    ? { ...ending, fix: mistake.fix(app) }
    : ending
}
