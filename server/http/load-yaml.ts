import { metadataLimits, type ReadYaml } from '../hub/rules/readme-check.ts'

/** What reads YAML: few requests need it, and none before it starts. */
export async function loadYaml(): Promise<ReadYaml> {
  const { parseYamlInSteps } = await import('../fixtures/parse-yaml.ts')
  return (text) => parseYamlInSteps(text, metadataLimits)
}
