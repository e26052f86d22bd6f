import { createHash } from 'node:crypto'
import type { AppliedFix, Fix, FixList } from '../../contract/control-fixes.ts'
import type { FixKind } from '../../contract/words/sandbox-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { offerApp } from './app-fix.ts'
import { offerClock } from './clock-fix.ts'
import { offerMember } from './member-fix.ts'
import type { FixDeps, Offer } from './offer.ts'
import { offerPublisherClaims } from './publisher-fix.ts'
import { offerRedirectUri } from './redirect-uri-fix.ts'
import { readRefused, type RefusedRequest } from './refused-request.ts'
import { offerScope } from './scope-fix.ts'

/*
 * A fix is offered if the check that refused a sign-in still refuses it, and would accept it after the change. Any web
 * page can make a browser send such a request, so a fix needs the user's consent: it is applied by its id only, and an
 * id stands for one exact change. A request that a page sends meanwhile leads to another id, and the id that the user
 * approved is refused.
 */

type Found = Offer & { fix: Fix }

/**
 * Returns the fixes for a refused sign-in, and the setting of the app that it does not match.
 * @param records of the sign-in, oldest first
 */
export function listFixes(deps: FixDeps, records: readonly RequestRecord[]): FixList {
  const found = findFixes(deps, records)
  const setting =
    found.find((offer) => offer.setting !== undefined)?.setting ?? wrongSecret(deps, records)
  return { items: found.map(({ fix }) => fix), ...omitUndefined({ setting }) }
}

/**
 * Applies an offered fix.
 * @throws {Refusal} `conflict` if it is not offered (any more), and the errors of settings, registration and accounts
 */
export async function applyFix(
  deps: FixDeps,
  records: readonly RequestRecord[],
  id: string,
): Promise<AppliedFix> {
  const found = findFixes(deps, records).find(({ fix }) => fix.id === id)
  if (found === undefined) {
    throw new Refusal(
      'conflict',
      'This fix no longer applies because the sign-in or its settings have changed. Reload the suggestions.',
    )
  }
  await found.make()
  return { made: found.fix, next: nextSteps[found.fix.kind] }
}

const nextSteps: Record<FixKind, string> = {
  'redirect-uri': 'Start the sign-in again in the app.',
  scope: 'Start the sign-in again in the app.',
  app: 'Start the sign-in again in the app.',
  member: 'Have the app try again as the same user.',
  clock: 'The device may poll again.',
  publisher: 'Run the job again.',
}

/** No change of the sandbox is offered: the app gets the right secret, or loses the one that it sends. */
function wrongSecret(deps: FixDeps, records: readonly RequestRecord[]): FixList['setting'] {
  const { refused, app } = readWithApp(deps, records) ?? {}
  if (app === undefined || refused?.at !== 'token' || refused.error !== 'invalid_client') {
    return undefined
  }
  return { clientId: app.id, field: 'clientSecret' }
}

/** Reads the refused request with its app, unless only the publisher of a metadata document can change it. */
function readWithApp(
  deps: FixDeps,
  records: readonly RequestRecord[],
): { refused: RefusedRequest; app: App | undefined } | undefined {
  const refused = readRefused(deps, records)
  if (refused === undefined) return undefined
  const app = deps.state.apps.get(refused.clientId)
  return app?.origin === 'metadata-document' ? undefined : { refused, app }
}

function findFixes(deps: FixDeps, records: readonly RequestRecord[]): Found[] {
  const ofJob = offerPublisherClaims(deps, records)
  const read = readWithApp(deps, records)
  const offers = read === undefined ? ofJob : [...ofJob, ...offersFor(deps, read)]
  return offers.map(({ fix, ...offer }) => ({ ...offer, fix: { id: idOf(fix), ...fix } }))
}

function offersFor(
  deps: FixDeps,
  { refused, app }: NonNullable<ReturnType<typeof readWithApp>>,
): Offer[] {
  return app === undefined
    ? offerApp(deps, refused)
    : [
        // The README of a Space defines the redirect URIs and scopes of its app.
        ...(app.origin === 'space'
          ? []
          : [...offerRedirectUri(deps, refused, app), ...offerScope(deps, refused, app)]),
        ...offerMember(deps, refused, app),
        ...offerClock(deps, refused, app),
      ]
}

/** `alsoExpires` is not part of the id: it may change while the user decides. */
function idOf({ kind, title, change, address }: Offer['fix']): string {
  const text = JSON.stringify([kind, title, change, address])
  return `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
