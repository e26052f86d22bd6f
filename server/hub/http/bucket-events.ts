import { decide } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { FollowedBatch } from '../buckets/bucket-feed.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { EventSource } from './event-streams.ts'
import type { HubServices } from '../services.ts'

/**
 * Sends the changes of a bucket that a client has missed, then each later one, as long as it may read the bucket.
 * @param missed `lost` when some of it is not known: the client has to list the files
 */
export function changesOf(
  deps: HubServices,
  {
    repo,
    principal,
    missed,
  }: { repo: Repo; principal: Principal; missed: readonly FollowedBatch[] | 'lost' },
): EventSource {
  const { bucketFeed, bus, state } = deps
  return (send, end) => {
    const sendEvent = (name: string, data: object) =>
      send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    const sendBatch = (batch: FollowedBatch | 'lost') => {
      if (batch === 'lost') {
        sendEvent('reset', { reason: 'some changes are not kept' })
        end()
        return
      }
      const { changes } = batch
      sendEvent('changes', { cursor: bucketFeed.cursorAfter(batch), changes })
    }
    if (missed === 'lost') {
      sendBatch('lost')
      return () => {}
    }
    for (const batch of missed) sendBatch(batch)
    sendEvent('ready', { cursor: bucketFeed.cursorAfter() })
    const endUnlessReadable = () => {
      const present = state.repos.get(repo.id)
      const isReadable =
        present !== undefined &&
        decide(deps, principal, { action: 'repo.read', repo: present }).allowed
      if (!isReadable) end()
      return isReadable
    }
    const stops = [
      bucketFeed.follow(repo.id, (batch) => {
        if (batch === 'lost' || endUnlessReadable()) sendBatch(batch)
      }),
      bus.on('hub.event', ({ data }) => {
        if (data.repo.id === repo.id && data.updatedFiles === undefined) endUnlessReadable()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }
}
