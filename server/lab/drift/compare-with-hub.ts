import { groupBy } from '../../core/group-by.ts'
import { type AgainstDrift, againstDrift, type Side } from './against-drift.ts'
import { type DriftReport, reportOf } from './drift-report.ts'
import { judge } from './known-differences.ts'
import { knownDifferences } from './known-list.ts'
import { type OpenApiDocument, readOpenApi } from './openapi-document.ts'
import { openApiDrift } from './openapi-drift.ts'
import { readingSteps } from './reading-steps.ts'
import { DriftError } from './send-calls.ts'
import { isJsonType, runTour } from './tour.ts'
import { tourSteps } from './writing-steps.ts'

/**
 * Compares a sandbox with the OpenAPI document of the Hub, by its own document and by a tour that makes, reads and deletes
 * things there.
 * @param document.text JSON
 * @param receiver URL that accepts webhooks
 * @throws {DriftError} for a text that is no such document
 */
export async function compareWithDocument(
  document: { source: string; text: string },
  { send, names }: Side,
  receiver: string,
): Promise<DriftReport> {
  const hub = readHub(document)
  const own = { method: 'GET', path: '/_sandbox/openapi.json', headers: {}, as: 'nobody' } as const
  const here = readOpenApi((await send(own)).text)
  names.set('receiver', receiver)
  const visits = await runTour(tourSteps, { send, names })
  const found = openApiDrift({ hub, here }, visits)
  return reportOf(document.source, judge(found.differences, knownDifferences), {
    counts: `${found.emulated} of ${found.operations} operations, ${found.responses} responses`,
    operations: { hub: found.operations, here: found.emulated },
  })
}

function readHub({ source, text }: { source: string; text: string }): OpenApiDocument {
  try {
    return readOpenApi(text)
  } catch (error) {
    throw new DriftError(`${source}: ${(error as Error).message}.`, { cause: error })
  }
}

/** A Hub to compare with, and how. */
export interface HubToAsk {
  origin: string
  hub: Side
  /** No token is sent to either. */
  isAnonymous: boolean
  /** Called with all calls, before the first of them is sent. */
  onStart: (calls: readonly string[]) => void
}

/**
 * Compares a sandbox with a Hub, by calls that only read.
 * @throws {DriftError} for a host that is no Hub, or does not respond
 */
export async function compareWithHub(
  { origin, hub, isAnonymous, onStart }: HubToAsk,
  here: Side,
): Promise<DriftReport> {
  await requireHub(origin, hub)
  onStart(readingSteps.map(({ call }) => call))
  const { calls, left, differences } = await againstDrift(readingSteps, { hub, here })
  return reportOf(origin, judge(differences, []), {
    counts: `${calls} calls`,
    left: leftOut(left, origin, isAnonymous),
  })
}

async function requireHub(origin: string, { send }: Side): Promise<void> {
  const path = '/api/models?limit=1'
  const { status, headers } = await send({ method: 'GET', path, headers: {}, as: 'owner' })
  const type = headers.get('content-type')
  if (isJsonType(type) && status === 200) return
  throw new DriftError(
    `${origin} is no Hub: GET ${path} responds with ${status} and ${type ?? 'no content'}, not with a list of models.`,
  )
}

/** Says how many calls were left out, by the name that they need. */
function leftOut(
  left: AgainstDrift['left'],
  origin: string,
  isAnonymous: boolean,
): readonly string[] {
  const groups = groupBy(left, ({ sides, lacks }) => [...sides, lacks].join(' '))
  return [...groups.values()].flatMap((list) => {
    const [first] = list
    if (first === undefined) return []
    const { sides, lacks } = first
    const place = sides.includes('hub') ? origin : 'the sandbox'
    const thing = lacks.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    const shown =
      sides.length === 2
        ? `neither ${origin} nor the sandbox shows a ${thing}`
        : `${place} shows no ${thing}`
    const calls = list.length === 1 ? '1 call was' : `${list.length} calls were`
    const fix = isAnonymous && /^(?:user|organization)$/.test(lacks) ? ' Pass --token.' : ''
    return [`${calls} left out: ${shown}.${fix}`]
  })
}
