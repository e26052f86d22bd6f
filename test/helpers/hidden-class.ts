import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'

/**
 * Whether objects have one hidden class, as those that are made at one place are to: else each costs kilobytes. Of many a
 * few may differ from the one before: the engine learns what comes there, and compiles it anew when it likes. To be made
 * after `collectGarbage`: an empty object leads to some 1,500 hidden classes at most, which other tests use up, and
 * what is made from one beyond them has a class to itself until those that nobody has are collected.
 */
export function shareHiddenClass(objects: readonly object[]): boolean {
  setFlagsFromString('--allow-natives-syntax')
  const compare = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
    one: object,
    other: object,
  ) => boolean
  const changes = objects.filter((object, at) => at > 0 && !compare(objects[at - 1]!, object))
  return changes.length <= (objects.length - 2) / 10
}
