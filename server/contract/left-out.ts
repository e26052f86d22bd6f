import type { FixturesFile } from './fixtures-types.ts'

/**
 * Returns a line for each repo with the parts that an export left out.
 * @param mostRepos largest number of repos to list
 */
export function leftOutLines(
  { repos = [] }: Pick<FixturesFile, 'repos'>,
  mostRepos = 10,
): string[] {
  const lines = repos.flatMap(({ type = 'model', name, leftOut = [] }) =>
    leftOut.length === 0 ? [] : [`Left out of ${type}s/${name}: ${leftOut.join('; ')}.`],
  )
  const more = lines.length - mostRepos
  return more > 0
    ? [...lines.slice(0, mostRepos), `The file lists what is left out of ${more} more repos.`]
    : lines
}
