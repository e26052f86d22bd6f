import { connect, type Connection, nextCommand } from './connect.ts'
import { type MatchOptions, matchOf, withClientId } from './faults.ts'
import { withId } from './known.ts'
import { printAnswer, printList, say } from './output.ts'
import { type ControlOptions, readWholeNumber } from './read-options.ts'

export interface BarrierOptions extends MatchOptions {
  count?: string
}

/** Holds the next requests that match, and prints the id of the barrier. */
export async function putBarrier(options: BarrierOptions): Promise<void> {
  const count = readWholeNumber('--count', options.count ?? '1')
  const { call } = await connect(options)
  const match = await withClientId(call, matchOf(options))
  const added = await call('POST barriers', { body: { match, count } })
  for (const hint of added.hints ?? []) say(hint)
  printAnswer(options, added, added.id)
}

export async function listBarriers(options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  const { items } = await call('GET barriers')
  const next = nextCommand(['barrier', 'add', '--route', '/oauth/token', '--count', '2'], options)
  printList(
    options,
    items,
    ({ id, match, count, held }) => [
      id,
      `${held.length} of ${count} held`,
      JSON.stringify(match),
      held.join(' '),
    ],
    `No barriers. Hold the next two token requests: ${next}`,
  )
}

/** Releases the held requests and prints their ids in the order of release. */
export async function releaseBarrier(
  given: string,
  options: ControlOptions & { order?: string[] },
): Promise<void> {
  const connection = await connect(options)
  const order = options.order?.flatMap((ids) => ids.split(','))
  const released = await withId(given, ofBarriers(connection), (id) =>
    connection.call('POST barriers/:id/release', {
      params: { id },
      body: order === undefined ? {} : { order },
    }),
  )
  if (released.held.length === 0 && options.json !== true) {
    return say('Barrier deleted; it held no requests.')
  }
  printAnswer(options, released, released.held.join('\n'))
}

function ofBarriers({ call }: Connection) {
  return {
    what: 'barrier',
    ids: async () => (await call('GET barriers')).items.map(({ id }) => id).toReversed(),
  }
}
