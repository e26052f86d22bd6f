import type { Fixtures } from '../../contract/fixtures-types.ts'
import { Refusal } from '../../core/refusal.ts'
import type { State } from '../../store/state.ts'
import { isPrivate } from '../access/rights.ts'

type Inference = Fixtures['inference']

/**
 * Returns the model of a request, without the provider or policy at its end.
 * @throws {Refusal} `invalid` for an unknown model
 */
export function requireModel({ models }: Inference, asked: string): string {
  const [model = ''] = asked.split(':')
  const known = models.find((name) => name.toLowerCase() === model.toLowerCase())
  if (models.length === 0) return model
  if (known !== undefined) return known
  throw new Refusal('invalid', `The requested model '${model}' does not exist`, {
    detail: 'inference.models of the fixtures does not name it',
  })
}

/**
 * Lists the models that respond. If any name is accepted, these are the models that rules name, and all public model
 * repos.
 */
export function listModels(
  { state, now }: { state: Pick<State, 'repos'>; now: number },
  { models, rules }: Inference,
) {
  const inRules = rules.flatMap(({ model = '*' }) => (model.includes('*') ? [] : [model]))
  const repos = [...state.repos.values()].filter(
    (repo) => repo.type === 'model' && !isPrivate(repo),
  )
  const names = models.length > 0 ? models : [...inRules, ...repos.map(({ name }) => name)]
  return {
    object: 'list' as const,
    data: Array.from(new Set(names), (id) => ({
      id,
      object: 'model' as const,
      created: Math.floor(now / 1000),
      owned_by: id.split('/')[0] ?? id,
    })),
  }
}
