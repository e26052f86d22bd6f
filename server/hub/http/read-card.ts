import type { ReadCard } from '../files/repo-card.ts'

/** Limits of a card that is parsed in one piece; {@link repoCard} reads no more of a README. */
const cardLimits = { mostBytes: 64 * 1024, mostTokens: 30_000 }
let reading: Promise<ReadCard> | undefined
let loaded: ReadCard | undefined

/** Loads YAML with the first card, so that no start waits for it. */
export function cardReader(): Promise<ReadCard> {
  return (reading ??= load())
}

/** The reader, once {@link cardReader} has loaded it. */
export function loadedCardReader(): ReadCard | undefined {
  return loaded
}

async function load(): Promise<ReadCard> {
  const { parseYaml } = await import('../../core/parse-yaml.ts')
  loaded = (yaml) => {
    const parsed = parseYaml(yaml, cardLimits)
    return 'value' in parsed ? parsed.value : undefined
  }
  return loaded
}
