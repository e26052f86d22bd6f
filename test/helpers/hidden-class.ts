import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'

/** Whether two objects have one hidden class, as those that are made at one place are to: else each costs kilobytes. */
export function shareHiddenClass(one: object, other: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  const compare = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
    one: object,
    other: object,
  ) => boolean
  return compare(one, other)
}
