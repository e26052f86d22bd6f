import { createBrowser } from './demo-browser.ts'
import { type AppResponse, getWith, postAs, refusalOf, requireText } from './client.ts'
import type { Cue, Ending, Scene, Script } from './scene.ts'
import {
  askUser,
  type Attempt,
  begin,
  beginAgain,
  granted,
  readUser,
  requestTokens,
} from './sign-in-demo.ts'

// Flows that continue a sign-in: new tokens, more scopes, and a second sign-in without a page.

/** Scope that the API below requires, and that a sign-in does not request. */
const extraScope = 'read-repos'
const apiPath = '/api/settings/repositories'

type Played<Result> = AsyncGenerator<Cue, Result | Ending, undefined>

/** Plays a flow after a sign-in that the user approves. */
async function* afterSignIn(
  scene: Scene,
  go: (attempt: Attempt, tokens: AppResponse) => Script,
): Script {
  const attempt = await begin({ ...scene, decision: 'approve' })
  try {
    const tokens = yield* obtainTokens(attempt)
    return 'outcome' in tokens ? tokens : yield* go(attempt, tokens)
  } finally {
    attempt.callback?.close()
  }
}

async function* obtainTokens(attempt: Attempt): Played<AppResponse> {
  const came = yield* askUser(attempt)
  return came instanceof URL ? yield* requestTokens(attempt, came) : came
}

/**
 * Refresh of an access token (RFC 6749 §6).
 * @param isRepeated sends the first refresh token a second time
 */
export function refresh(scene: Scene, isRepeated: boolean): Script {
  return afterSignIn(scene, async function* (attempt, first) {
    const { app } = attempt
    const refreshToken = requireText(first, 'refresh_token')
    const send = () =>
      postAs(scene, app, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      })
    yield {
      name: 'refresh request',
      explanation: `${app.name} exchanges its refresh token for new tokens. The user takes no part.`,
    }
    const second = await send()
    const refused = refusalOf(second)
    if (refused !== undefined) return refused
    if (isRepeated) {
      yield {
        name: 'refresh request',
        explanation: `${app.name} sends the same refresh token again, as an app does that did not store the new one.`,
      }
      return { ...(refusalOf(await send()) ?? granted(app, undefined)), fix: rotationFix }
    }
    const who = yield* readUser({ ...attempt, nonce: undefined }, withoutIdToken(second))
    return typeof who === 'object' ? who : granted(app, who)
  })
}

const rotationFix =
  'Store the refresh token of each response in place of the one that was sent, and let only one request refresh at a time. A second use revokes all tokens of the authorization (RFC 9700 §4.14.2).'

/** The nonce of the first ID token is not repeated in those of a refresh (OpenID Connect Core §12.2). */
function withoutIdToken({ status, body }: AppResponse): AppResponse {
  const { id_token: _idToken, ...rest } = body
  return { status, body: rest }
}

/** Request of a further scope after the API refused the token (RFC 6750 §3.1). */
export function stepUp(scene: Scene): Script {
  return afterSignIn(scene, async function* (attempt, first) {
    const { app } = attempt
    yield apiCue(`${app.name} lists the repos of the user with its token, which lacks the scope.`)
    const answer = await getWith(scene, requireText(first, 'access_token'), apiPath)
    if (refusalOf(answer) === undefined)
      return {
        outcome: 'completed',
        explanation: `${app.name} had the scope ${extraScope} already.`,
      }
    const again = beginAgain(attempt, {
      scope: [...new Set([...attempt.scope.split(' '), extraScope])].join(' ').trim(),
      // The user should see the new scope.
      prompt: 'consent',
      decision: scene.decision,
    })
    const tokens = yield* obtainTokens(again)
    if ('outcome' in tokens) return tokens
    yield apiCue(`${app.name} repeats its request with the new token.`)
    const repeated = await getWith(scene, requireText(tokens, 'access_token'), apiPath)
    return (
      refusalOf(repeated) ?? {
        outcome: 'completed',
        explanation: `${app.name} has a token with the scope ${extraScope}.`,
      }
    )
  })
}

function apiCue(explanation: string): Cue {
  return { name: 'API request', explanation }
}

/**
 * Sign-in without a page (`prompt=none`, OpenID Connect Core §3.1.2.1), in a browser that is signed in and whose user
 * has approved the app.
 * @param isSignedOut uses another browser, in which no user is signed in
 */
export function silent(scene: Scene, isSignedOut: boolean): Script {
  return afterSignIn(scene, async function* (attempt) {
    const again = beginAgain(attempt, {
      prompt: 'none',
      ...(isSignedOut ? { browser: createBrowser(scene) } : {}),
    })
    const tokens = yield* obtainTokens(again)
    if ('outcome' in tokens)
      return isSignedOut && tokens.outcome === 'refused' ? { ...tokens, fix: silentFix } : tokens
    const who = yield* readUser(again, tokens)
    return typeof who === 'object' ? who : granted(attempt.app, who)
  })
}

const silentFix =
  'No fix is needed: on login_required, consent_required or interaction_required the app sends the user through a sign-in with pages (OpenID Connect Core §3.1.2.6).'
