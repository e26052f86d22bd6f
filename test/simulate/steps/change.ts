import type { Standing } from '../world/facts.ts'
import type { InvariantName } from '../world/violation.ts'
import { ConnectionLost, type Reply, type World } from '../world/world.ts'

/** Something that clients change one at a time. */
interface Held {
  readonly name: string
  standing: Standing
  isChanging: boolean
  /** Increased before and after each change. */
  changes: number
  changedAt: number
}

interface Wish {
  readonly request: () => Promise<Reply>
  /** Whether the rules allow it; absent if a request may fail for another reason. */
  readonly isAllowed?: boolean
  readonly done: (reply: Reply) => void
  /** Returns false if something else explains the response. */
  readonly isSteady?: () => boolean
  readonly promise?: InvariantName
}

const isSuccess = ({ status }: Reply) => status < 300 || status === 303

/**
 * Changes something, of which everything is in doubt if the response is missing.
 * @returns whether it was changed
 */
export async function change(
  world: World,
  held: Held,
  {
    request,
    isAllowed,
    done,
    isSteady = () => true,
    promise = 'a right decides each request',
  }: Wish,
): Promise<boolean> {
  const { facts } = world
  const { epoch } = facts
  held.isChanging = true
  held.changes += 1
  try {
    const reply = await request()
    if (!facts.isSame(epoch) || held.standing !== 'live') return false
    const { status, text } = reply
    const isDone = isSuccess(reply)
    if (!isSteady() || status >= 500) {
      held.standing = 'unsure'
      return false
    }
    if (isAllowed !== undefined && isDone !== isAllowed) {
      const rule = isAllowed ? 'allowed' : 'refused'
      world.fail(promise, `what ${held.name} ${rule} was answered with ${status}: ${text}`)
    }
    if (!isDone) return false
    done(reply)
    held.changedAt = world.scheduler.now
    return true
  } catch (error) {
    if (error instanceof ConnectionLost) held.standing = 'unsure'
    throw error
  } finally {
    held.isChanging = false
    held.changes += 1
  }
}
