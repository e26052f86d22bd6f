import { groupBy } from '../../../core/group-by.ts'
import { because, type Evidence } from '../../evidence.ts'
import type { AdviceLevel } from '../../../contract/words/advice.ts'
import type { Judgement } from '../../rule.ts'

/**
 * Finds sign-ins of an app that were completed with the same value of a parameter. A reload or the Back button repeats a
 * request too, but only one of those is completed.
 */
export function findReused(
  { signIns }: Evidence,
  name: 'state' | 'code_challenge' | 'nonce',
  levelOf: (asked: URLSearchParams) => AdviceLevel | undefined = () => undefined,
): Judgement {
  const completed = signIns.filter(
    ({ asked, redeemed }) => redeemed !== undefined && asked.get(name),
  )
  const groups = groupBy(completed, ({ clientId, asked }) =>
    JSON.stringify([clientId, asked.get(name)]),
  )
  const sightings = [...groups.values()].flatMap((group) => {
    const [first, ...later] = group
    if (first === undefined) return []
    return later.map(({ clientId, asked, authorization }) => {
      const level = levelOf(asked)
      return {
        subject: { clientId },
        key: name,
        ...(level !== undefined && { level }),
        at: authorization.record.at,
        evidence: [
          because(first.authorization, `sent this ${name} first`, name),
          because(authorization, `sent the same ${name} again`, name),
        ],
      }
    })
  })
  return { judged: completed.length, sightings }
}
