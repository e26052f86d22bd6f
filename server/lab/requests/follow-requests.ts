import type { RequestItem } from '../../contract/control-requests.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { ServerDeps } from '../server-deps.ts'
import { createChanges } from '../../web/line-streams.ts'

/** Streams requests as lines of JSON: the log, oldest first, then new ones. */
export async function* followRequests(
  { requests, bus }: Pick<ServerDeps, 'requests' | 'bus'>,
  hungUp: AbortSignal,
  isWanted: (record: RequestRecord) => boolean,
  describe: (record: RequestRecord) => RequestItem,
): AsyncGenerator<string> {
  const changes = createChanges(hungUp)
  const stop = bus.on('request.completed', ({ data }) => changes.note(data.id))
  const lineOf = (record: RequestRecord) => `${JSON.stringify(describe(record))}\n`
  try {
    for (const record of requests.values()) {
      changes.forget(record.id)
      if (isWanted(record)) yield lineOf(record)
    }
    for (let ids = await changes.next(); ids !== undefined; ids = await changes.next()) {
      for (const id of ids) {
        // The log may have been cleared meanwhile.
        const record = requests.get(id)
        if (record !== undefined && isWanted(record)) yield lineOf(record)
      }
    }
  } finally {
    stop()
  }
}
