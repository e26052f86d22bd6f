import { settingsClients } from '../contract/client-settings.ts'
import { type Framework, frameworks } from '../contract/words/sandbox-words.ts'

/** Returns the framework of an id or a display name without spaces: `nextjs`, `Next.js`, `huggingface.js`. */
export function frameworkNamed(name: string): Framework | undefined {
  const wanted = plain(name)
  return frameworks.find((framework) => plain(framework) === wanted)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[.-]/g, '')
}

/** Values of `env --for`: frameworks, then clients, except those that have the name of a framework. */
export const programNames: readonly string[] = [
  ...frameworks,
  ...settingsClients.filter((name) => frameworkNamed(name) === undefined),
]
