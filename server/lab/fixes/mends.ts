import { createHash } from 'node:crypto'
import type { MadeMend, Mend } from '../../contract/control-mends.ts'
import type { MendKind } from '../../contract/words/sandbox.ts'
import { Refusal } from '../../core/refusal.ts'
import type { RequestRecord } from '../../requests/log/request-log.ts'
import { offerApp } from './app-mend.ts'
import { offerClock } from './clock-mend.ts'
import { offerMember } from './member-mend.ts'
import type { MendDeps, Offer } from './offer.ts'
import { offerRedirectUri } from './redirect-uri-mend.ts'
import { readRefused } from './refused-request.ts'
import { offerScope } from './scope-mend.ts'

/*
 * A mend is offered when the check that refused a sign-in refuses it still, and would not with the change. Anybody's
 * page can make a browser ask for anything, so a mend is a question to the user and never an answer: nothing is changed
 * but by its id, and an id stands for one change, to the letter. Whatever a page has the browser ask meanwhile gets
 * another id, and the one that the user said yes to is refused.
 */

type Found = Offer & { mend: Mend }

/**
 * What would let a refused sign-in pass.
 * @param records of the sign-in, oldest first
 */
export function listMends(deps: MendDeps, records: readonly RequestRecord[]): Mend[] {
  return findMends(deps, records).map(({ mend }) => mend)
}

/**
 * Makes a mend that is offered.
 * @throws {Refusal} `conflict` when it is not offered, or not any more; as settings, registration and accounts do
 */
export async function makeMend(
  deps: MendDeps,
  records: readonly RequestRecord[],
  id: string,
): Promise<MadeMend> {
  const found = findMends(deps, records).find(({ mend }) => mend.id === id)
  if (found === undefined) {
    throw new Refusal(
      'conflict',
      'This mend does not apply any more: the sign-in went on, or what it would change is otherwise by now. Look at what is offered instead.',
    )
  }
  await found.make()
  return { made: found.mend, next: nextSteps[found.mend.kind] }
}

const nextSteps: Record<MendKind, string> = {
  'redirect-uri': 'Start the sign-in again in the app.',
  scope: 'Start the sign-in again in the app.',
  app: 'Start the sign-in again in the app.',
  member: 'Have the app try again as the same user.',
  clock: 'The device may poll again.',
}

function findMends(deps: MendDeps, records: readonly RequestRecord[]): Found[] {
  const refused = readRefused(deps, records)
  if (refused === undefined) return []
  const app = deps.state.apps.get(refused.clientId)
  // Whoever publishes a metadata document says what it holds, here as there.
  if (app?.origin === 'metadata-document') return []
  const offers =
    app === undefined
      ? offerApp(deps, refused)
      : [
          // A Space's README says these of its app.
          ...(app.origin === 'space'
            ? []
            : [...offerRedirectUri(deps, refused, app), ...offerScope(deps, refused, app)]),
          ...offerMember(deps, refused, app),
          ...offerClock(deps, refused, app),
        ]
  return offers.map(({ mend, make }) => ({ mend: { id: idOf(mend), ...mend }, make }))
}

/** What else ends by it may change while the user thinks; what it changes may not. */
function idOf({ kind, title, change, address }: Offer['mend']): string {
  const text = JSON.stringify([kind, title, change, address])
  return `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
