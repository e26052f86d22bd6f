import type { Deps } from '../deps.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { App, DeviceAuthorization } from '../../store/entities/oauth-entities.ts'
import { decisions } from '../../contract/words/oauth-words.ts'
import { Refusal } from '../../core/refusal.ts'
import type { CodeGuesses } from './code-guesses.ts'
import { answerDevice, findPendingDevice } from './device-authorization.ts'

/** Refusal of a typed code; the user may type another. */
export class CodeRefusal extends Refusal {
  override readonly name: string = 'CodeRefusal'
}

/** Form of the device page or its consent page, sent by a signed-in user. */
export interface VerificationForm {
  user: User
  /** Time of the sign-in, in milliseconds since 1970. */
  authTime: number
  userCode: string
  /** Decision as sent; `null` before the consent page. */
  decision: string | null
  /** Selected organizations. */
  organizationIds: readonly string[]
}

/**
 * Checks the code that a user typed and stores the decision, if there is one.
 * @returns the normalized code, and whether the user has decided
 * @throws {CodeRefusal} `invalid_request` for a code that is not pending; `rate_limited` after too many wrong ones
 * @throws {Refusal} `unknown_client` for a deleted app; `access_denied` when this user cannot authorize it
 * @see RFC 8628 §3.3, §5.1
 */
export function verifyDevice(
  deps: Deps,
  guesses: CodeGuesses,
  form: VerificationForm,
): { userCode: string; isAnswered: boolean } {
  const authorization = guessCode(deps, guesses, form)
  const { userCode } = authorization
  const decision = decisions.find((one) => one === form.decision)
  if (decision === undefined) return { userCode, isAnswered: false }
  requireDeviceClient(deps, authorization)
  answerDevice(deps, { ...form, authorization, decision })
  return { userCode, isAnswered: true }
}

/** @throws {CodeRefusal} also after too many wrong codes */
function guessCode(
  deps: Deps,
  guesses: CodeGuesses,
  { user, userCode }: VerificationForm,
): DeviceAuthorization {
  const retryAfterSeconds = guesses.waitSeconds(user.id)
  if (retryAfterSeconds > 0) {
    throw new CodeRefusal(
      'rate_limited',
      `Too many wrong codes. Try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    )
  }
  try {
    const authorization = findTypedCode(deps, userCode)
    guesses.right(user.id)
    return authorization
  } catch (error) {
    if (error instanceof CodeRefusal) guesses.wrong(user.id)
    throw error
  }
}

/**
 * Returns the consent question of a device.
 * @throws {CodeRefusal} `invalid_request` when the code is no longer pending
 * @throws {Refusal} `unknown_client` for a deleted app
 */
export function readDeviceQuestion(
  deps: Deps,
  userCode: string,
): { app: App; authorization: DeviceAuthorization } {
  const authorization = findTypedCode(deps, userCode)
  return { app: requireDeviceClient(deps, authorization), authorization }
}

/** @throws {Refusal} `unknown_client` */
export function requireDeviceClient(deps: Deps, { clientId }: DeviceAuthorization): App {
  const client = deps.state.apps.get(clientId)
  if (client !== undefined) return client
  throw new Refusal('unknown_client', 'The app behind this code no longer exists.')
}

/** @throws {CodeRefusal} */
function findTypedCode(deps: Deps, userCode: string): DeviceAuthorization {
  try {
    return findPendingDevice(deps, userCode)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new CodeRefusal(error.code, error.message)
  }
}
