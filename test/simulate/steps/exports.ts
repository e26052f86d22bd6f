import type { World } from '../world/world.ts'
import type { Steps } from './step.ts'

/** Loads what is exported, beside the present state. */
async function loadExport(world: World): Promise<void> {
  const { epoch } = world.facts
  const given = await world.control('GET', 'export')
  if (given.status !== 200) return
  const { status, text } = await world.control('POST', 'fixtures/compare', {
    fixtures: given.json(),
  })
  if (status < 300 || status >= 500 || !world.facts.isSame(epoch)) return
  world.fail('what is exported can be loaded again', `${status} ${text}`)
}

export const exportSteps: Steps = { 'load an export': { weight: 0.5, run: loadExport } }
