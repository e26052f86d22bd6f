import { deviceCodeGrant, pollAgainErrors } from '../../contract/words/oauth-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { createBrowser, type BrowserPlace } from './demo-browser.ts'
import { type CastApp, type CastUser, type Part, pickApp, pickUser } from './cast.ts'
import { type AppResponse, postAs, refusalOf, requireText } from './client.ts'
import { scopesOf } from './mistakes.ts'
import type { Cue, Ending, Scene, Script, ShownCode } from './scene.ts'
import { granted, isOn, logIn, readUser, stoppedOn } from './sign-in-demo.ts'

const part: Part = {
  fits: () => true,
  what: 'an app',
  fixture: { name: 'My device', scopes: ['openid'] },
}

/** Client id of the Hub's own command line, the device that most users know. */
const commandLineId = '26be6b09-91c5-47da-9861-d2d2bb7a7e36'

/** Sorts the app of the command line first, then public ones: a device keeps no secret. */
function rankOf({ clientId, clientSecret }: CastApp): number {
  return clientId === commandLineId ? 0 : clientSecret === undefined ? 1 : 2
}

/** Default polling interval in seconds (RFC 8628 §3.2). */
const usualInterval = 5

/** The device authorization grant (RFC 8628), up to the claims of the user. */
export async function* device(scene: Scene): Script {
  const apps = scene.cast.apps.toSorted((a, b) => rankOf(a) - rankOf(b))
  const app = pickApp({ ...scene.cast, apps }, part, scene.clientId)
  const user = pickUser(scene.cast, app, scene.user)
  scene.plays(app, user)
  try {
    return yield* play(scene, app, user)
  } finally {
    scene.shows(undefined)
  }
}

async function* play(scene: Scene, app: CastApp, user: CastUser): Script {
  const scope = scopesOf(scene, app)
  yield {
    name: 'device authorization request',
    explanation: `${app.name} requests a code, because a user cannot sign in on the device itself.`,
  }
  const asked = await postAs(scene, app, '/oauth/device', scope === '' ? {} : { scope })
  const refused = refusalOf(asked)
  if (refused !== undefined) return refused
  const code = shownCode(asked)
  scene.shows(code)

  const poll = createPolling(scene, app, asked)
  if (scene.pace === 'steps' || scene.answeredBy === 'person' || scene.pollsEarly === true) {
    const early = yield* poll()
    if (early !== undefined) return yield* finish(scene, app, early, scope)
  }
  if (scene.answeredBy === 'sandbox') {
    const stopped = yield* answerAs(scene, user, code)
    if (stopped !== undefined) return stopped
  }
  for (;;) {
    const answer = yield* poll()
    if (answer !== undefined) return yield* finish(scene, app, answer, scope)
  }
}

function shownCode(answer: AppResponse): ShownCode {
  const { verification_uri_complete: complete, expires_in: expiresIn } = answer.body
  return {
    userCode: requireText(answer, 'user_code'),
    verificationUri: requireText(answer, 'verification_uri'),
    ...omitUndefined({
      verificationUriComplete: typeof complete === 'string' ? complete : undefined,
    }),
    expiresIn: Number(expiresIn),
  }
}

/** Returns a function that polls once, never sooner than the hub allows, and returns the final response if there is one. */
function createPolling(scene: Scene, app: CastApp, asked: AppResponse) {
  const deviceCode = requireText(asked, 'device_code')
  let intervalMs = Number(asked.body['interval'] ?? usualInterval) * 1000
  let polledAt: number | undefined
  return async function* poll(): AsyncGenerator<Cue, AppResponse | undefined, undefined> {
    const explanation =
      polledAt === undefined
        ? 'The device polls for the decision of the user.'
        : 'The device polls again after its interval.'
    yield { name: 'poll', explanation }
    const rest = polledAt === undefined ? 0 : polledAt + intervalMs - scene.realNow()
    if (rest > 0) {
      await scene.waitFor(
        'The device waits for its interval before it polls again.',
        scene.pause(rest),
      )
    }
    const answer = await postAs(scene, app, '/oauth/token', {
      grant_type: deviceCodeGrant,
      device_code: deviceCode,
    })
    // RFC 8628 §3.5: each time 5 seconds more.
    if (answer.body['error'] === 'slow_down') intervalMs += 5000
    polledAt = scene.realNow()
    return pollAgainErrors.has(String(answer.body['error'])) ? undefined : answer
  }
}

/**
 * Plays the user, who enters the code in another browser and decides.
 * @returns the ending on a page of the hub; `undefined` when the decision was accepted or had been made before
 */
async function* answerAs(
  scene: Scene,
  user: CastUser,
  { userCode, verificationUri, verificationUriComplete }: ShownCode,
): AsyncGenerator<Cue, Ending | undefined, undefined> {
  const url = verificationUriComplete ?? verificationUri
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  yield {
    name: 'user code',
    explanation: `${user.username} opens the URL in a browser, signs in and enters the code.`,
    url,
  }
  const browser = createBrowser(scene)
  const opened = await browser.open(path)
  const there = isOn(opened, '/login') ? await logIn(browser, user, path) : opened
  if (!isOn(there, '/oauth/device')) return ended(there)
  const asked = await browser.submit('/oauth/device/verify', { user_code: userCode })
  // A person has decided in a browser meanwhile: the code is no longer valid.
  if (!isOn(asked, '/oauth/device/verify')) return undefined
  const { decision } = scene
  yield {
    name: 'consent',
    explanation: `The Hub shows the scopes that the device requests. ${user.username} ${decision === 'deny' ? 'denies' : 'approves'} the request.`,
  }
  await browser.submit('/oauth/device/verify', { user_code: userCode, decision })
  return undefined
}

function ended(place: BrowserPlace): Ending {
  if ('page' in place) return stoppedOn(place)
  throw new Error(`The page for device codes redirected the browser to ${place.left.origin}.`)
}

async function* finish(
  scene: Scene,
  app: CastApp,
  answer: AppResponse,
  scope: string,
): AsyncGenerator<Cue, Ending, undefined> {
  scene.shows(undefined)
  const refused = refusalOf(answer)
  if (refused !== undefined) return refused
  const who = yield* readUser({ scene, app, scope, nonce: undefined }, answer)
  return typeof who === 'object' ? who : granted(app, who)
}
