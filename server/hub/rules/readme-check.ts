import type { ValidateYamlResponse } from '../../contract/hub-files.ts'
import type { RepoType } from '../../contract/words/hub-words.ts'
import { readmeHeader } from './readme-metadata.ts'
import { problemsOfMetadata } from './readme-rules.ts'

/** Reads YAML up to {@link metadataLimits}; loaded on first use. */
export type ReadYaml = (text: string) => { value: unknown } | { problem: string }

/** Limits of a README's metadata. Large cards with the results of many benchmarks need 250 KiB and half of the tokens. */
export const metadataLimits = { mostBytes: 1024 * 1024, mostTokens: 150_000 }

/** Most bytes of a README that the hub checks. */
export const mostCheckedReadme = 1_000_000

/** Most bytes of metadata in all READMEs of a push: parsing takes longer than anything else about a push. */
export const mostPushedMetadata = metadataLimits.mostBytes

/** Returns the bytes of a README's metadata. */
export function bytesOfMetadata(content: string): number {
  return Buffer.byteLength(readmeHeader(content) ?? '')
}

/** Path of the README of a repo. */
export const readmePath = 'README.md'

/** Returns the problems for which the hub refuses a README. */
export function readmeProblems(
  readYaml: ReadYaml,
  readme: { content: string; repoType: RepoType },
): string[] {
  return checkReadme(readYaml, readme).errors.map(({ message }) => message)
}

/** Checks the metadata of a README as the hub does. Missing metadata is only a warning. */
export function checkReadme(
  readYaml: ReadYaml,
  { content, repoType }: { content: string; repoType: RepoType },
): ValidateYamlResponse {
  const header = readmeHeader(content)
  if (header === undefined || header.trim() === '') {
    return { errors: [], warnings: [{ message: 'empty or missing yaml metadata in repo card' }] }
  }
  const parsed = readYaml(header)
  const errors = 'problem' in parsed ? [parsed.problem] : problemsOfMetadata(parsed.value, repoType)
  return { errors: errors.map((message) => ({ message })), warnings: [] }
}
