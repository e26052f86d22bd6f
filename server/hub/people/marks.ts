import { type MarkKind, markKinds } from '../../contract/words/hub-words.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { Mark } from '../../store/entities/hub-entities.ts'
import type { State } from '../../store/state.ts'
import type { HubDeps } from '../hub-deps.ts'

type Marks = { readonly state: Pick<State, 'marks'> }

/** Sets a mark. @returns whether it is new */
export function setMark(
  { state, clock }: Marks & Pick<HubDeps, 'clock'>,
  mark: Pick<Mark, 'kind' | 'userId' | 'targetId'>,
): boolean {
  const id = markId(mark)
  if (state.marks.has(id)) return false
  state.marks.put({ id, ...mark, createdAt: clock.now() })
  return true
}

/** Removes a mark. @returns whether it existed */
export function removeMark(
  { state }: Marks,
  mark: Pick<Mark, 'kind' | 'userId' | 'targetId'>,
): boolean {
  const id = markId(mark)
  const existed = state.marks.has(id)
  if (existed) state.marks.delete(id)
  return existed
}

export function hasMark(
  { state }: Marks,
  mark: Pick<Mark, 'kind' | 'userId' | 'targetId'>,
): boolean {
  return state.marks.has(markId(mark))
}

/** Lists the marks on a target, the newest first. */
export function marksOn({ state }: Marks, kind: MarkKind, targetId: string): Mark[] {
  return newestFirst(state.marks.group('target', `${kind}/${targetId}`))
}

/** Lists the marks of a user, the newest first. */
export function marksBy({ state }: Marks, kind: MarkKind, userId: string): Mark[] {
  return newestFirst(state.marks.group('user', `${kind}/${userId}`))
}

/** Returns the users who set the marks. */
export function usersOf({ state }: Pick<HubDeps, 'state'>, marks: readonly Mark[]): User[] {
  return marks.flatMap(({ userId }) => state.users.get(userId) ?? [])
}

/** Removes the marks on a target that is deleted. */
export function forgetMarksOn(deps: Marks, targetId: string): void {
  for (const kind of markKinds) {
    for (const { id } of marksOn(deps, kind, targetId)) deps.state.marks.delete(id)
  }
}

/** Removes the marks of a user who is deleted. */
export function forgetMarksBy(deps: Marks, userId: string): void {
  for (const kind of markKinds) {
    for (const { id } of marksBy(deps, kind, userId)) deps.state.marks.delete(id)
  }
}

function markId({ kind, userId, targetId }: Pick<Mark, 'kind' | 'userId' | 'targetId'>): string {
  return `${kind}/${userId}/${targetId}`
}

/** Sorts by time, since fixtures are not loaded in the order of their times. */
function newestFirst(marks: readonly Mark[]): Mark[] {
  return marks.toReversed().toSorted((one, other) => other.createdAt - one.createdAt)
}
