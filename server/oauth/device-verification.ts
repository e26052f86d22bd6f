import type { Deps } from '../events/deps.ts'
import type { User } from '../state/entities/accounts.ts'
import type { App, DeviceAuthorization } from '../state/entities/oauth.ts'
import { type Decision, decisions } from '../contract/words/oauth.ts'
import { Refusal } from '../core/refusal.ts'
import { checks } from './checks.ts'
import type { CodeGuesses } from './code-guesses.ts'
import { answerDevice, findPendingDevice } from './device-authorization.ts'
import { inOrder } from './in-order.ts'

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

const readCode = inOrder(checks['POST /oauth/device/verify'].code)<
  VerificationForm & { deps: Deps; guesses: CodeGuesses }
>()
  .step('attempts', ({ guesses, user }) => {
    const retryAfterSeconds = guesses.waitSeconds(user.id)
    if (retryAfterSeconds === 0) return
    throw new CodeRefusal(
      'rate_limited',
      `Too many wrong codes. Try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    )
  })
  .step('grant', ({ deps, guesses, user, userCode }) => {
    try {
      const authorization = findTypedCode(deps, userCode)
      guesses.right(user.id)
      return { authorization }
    } catch (error) {
      if (error instanceof CodeRefusal) guesses.wrong(user.id)
      throw error
    }
  })
  .step('decision', (form) => ({
    decided: decisions.find((decision) => decision === form.decision),
  }))

const takeAnswer = inOrder(checks['POST /oauth/device/verify'].answer)<
  VerificationForm & { deps: Deps; authorization: DeviceAuthorization; decided: Decision }
>()
  .step('client', ({ deps, authorization }) => {
    requireDeviceClient(deps, authorization)
  })
  .step('policy', ({ deps, decided: decision, ...answer }) => {
    answerDevice(deps, { ...answer, decision })
  })

/**
 * Checks the code that a user typed and stores the decision, if there is one.
 * @returns the normalized code, and whether it is answered now
 * @throws {CodeRefusal} `invalid_request` for a code that is not pending; `rate_limited` after too many wrong ones
 * @throws {Refusal} `unknown_client` for a deleted app; `access_denied` when this user cannot authorize it
 * @see RFC 8628 §3.3, §5.1
 */
export async function verifyDevice(
  deps: Deps,
  guesses: CodeGuesses,
  form: VerificationForm,
): Promise<{ userCode: string; isAnswered: boolean }> {
  const { authorization, decided } = await readCode.run({ ...form, deps, guesses })
  const { userCode } = authorization
  if (decided === undefined) return { userCode, isAnswered: false }
  await takeAnswer.run({ ...form, deps, authorization, decided })
  return { userCode, isAnswered: true }
}

const findAsked = inOrder(checks['GET /oauth/device/verify'].question)<{
  deps: Deps
  userCode: string
}>()
  .step('grant', ({ deps, userCode }) => ({ authorization: findTypedCode(deps, userCode) }))
  .step('client', ({ deps, authorization }) => ({ app: requireDeviceClient(deps, authorization) }))

/**
 * Returns the consent question of a device.
 * @throws {CodeRefusal} `invalid_request` when the code is no longer pending
 * @throws {Refusal} `unknown_client` for a deleted app
 */
export async function readDeviceQuestion(
  deps: Deps,
  userCode: string,
): Promise<{ app: App; authorization: DeviceAuthorization }> {
  return findAsked.run({ deps, userCode })
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
