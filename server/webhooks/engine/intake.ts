import type { HubEvent } from '../../events/hub-event.ts'
import type { PayloadPatch, Published, Publisher } from '../publish/publisher.ts'

/** Where events come in. */
export interface Intake extends Pick<Publisher, 'match' | 'isOverloaded'> {
  /** Runs `act` and tells what the events it emitted came to; `patch` alters their payloads. */
  collect<T>(act: () => T, patch?: PayloadPatch): { value: T; published: Published[] }
}

/** @returns `take`: to be called with each event of the bus */
export function createIntake(publisher: Publisher): Intake & { take: (event: HubEvent) => void } {
  let collecting: { published: Published[]; patch: PayloadPatch | undefined } | undefined
  return {
    match: publisher.match,
    isOverloaded: publisher.isOverloaded,
    take(event) {
      const published = publisher.publish(event, collecting?.patch)
      collecting?.published.push(published)
    },
    collect(act, patch) {
      const outer = collecting
      const own = { published: [], patch }
      collecting = own
      try {
        return { value: act(), published: own.published }
      } finally {
        collecting = outer
      }
    },
  }
}
