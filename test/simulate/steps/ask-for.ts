import type { Standing } from '../world/facts.ts'
import type { Reply } from '../world/world.ts'

/** Things by name, as a client knows them. */
export type Standings = Map<string, Standing | 'busy'>

/** State in which a thing must be for a request to succeed, and its state afterwards. */
export interface Change {
  readonly needs: Standing
  readonly leaves: Standing
}

export const creation: Change = { needs: 'gone', leaves: 'live' }
export const deletion: Change = { needs: 'live', leaves: 'gone' }

/** Does something that a thing must be there for, or must not, one request at a time. */
export async function askFor(
  standings: Standings,
  name: string,
  { needs, leaves }: Change,
  request: (name: string) => Promise<Reply>,
  onWrong: (problem: string) => void,
): Promise<void> {
  const before = standings.get(name) ?? 'unsure'
  if (before === 'busy') return
  standings.set(name, 'busy')
  let now: Standing = 'unsure'
  try {
    const { status, text } = await request(name)
    if (status < 500) now = status < 300 ? leaves : before
    if (before !== 'unsure' && status < 300 !== (before === needs))
      onWrong(`${name} was ${before}: ${status} ${text}`)
  } finally {
    standings.set(name, now)
  }
}
