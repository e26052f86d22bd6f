import { metadataLimits, type ReadYaml } from '../rules/readme-check.ts'

/** Loads the YAML parser on first use, since few requests need it. */
export async function loadYaml(): Promise<ReadYaml> {
  const { parseYaml } = await import('../../core/parse-yaml.ts')
  return (text) => parseYaml(text, metadataLimits)
}
