import type { ValidateYamlAnswer } from '../../contract/hub-files.ts'
import type { RepoType } from '../../contract/words/hub.ts'
import type { SteppedWork } from '../../core/slices.ts'
import { readmeHeader } from './readme-metadata.ts'
import { problemsOfMetadata } from './readme-rules.ts'

/** Reads YAML up to {@link metadataLimits}, step by step; loaded on first use. */
export type ReadYaml = (text: string) => SteppedWork<{ value: unknown } | { problem: string }>

/** Size of the metadata of a README. Large cards with results of many benchmarks have half of it. */
export const metadataLimits = { mostBytes: 256 * 1024, mostTokens: 150_000 }

/** Where the README of a repo is. */
export const readmePath = 'README.md'

/** Problems for which the hub refuses a README, if any. */
export function* readmeProblems(
  readYaml: ReadYaml,
  readme: { content: string; repoType: RepoType },
): SteppedWork<string[]> {
  return (yield* checkReadme(readYaml, readme)).errors.map(({ message }) => message)
}

/** What the hub says of the metadata of a README. Without any there is nothing wrong, only less to be found by. */
export function* checkReadme(
  readYaml: ReadYaml,
  { content, repoType }: { content: string; repoType: RepoType },
): SteppedWork<ValidateYamlAnswer> {
  const header = readmeHeader(content)
  if (header === undefined || header.trim() === '') {
    return { errors: [], warnings: [{ message: 'empty or missing yaml metadata in repo card' }] }
  }
  const parsed = yield* readYaml(header)
  const errors = 'problem' in parsed ? [parsed.problem] : problemsOfMetadata(parsed.value, repoType)
  return { errors: errors.map((message) => ({ message })), warnings: [] }
}
