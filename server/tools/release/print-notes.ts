// Prints the notes of a release: `npm run release:notes -- v1.2.3`, or without a tag those of the next one.
import { execFileSync } from 'node:child_process'
import { type ReleasedCommit, releaseNotes } from './notes.ts'

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

/** Previous release, if any. */
function tagBefore(tag: string): string | undefined {
  const tags = git('tag', '--merged', tag, '--sort=-creatordate', 'v*').split('\n')
  return tags.find((name) => name !== '' && name !== tag)
}

function commitsOf(range: string): ReleasedCommit[] {
  return git('log', '--no-merges', '--format=%H%n%s%n%b%x00', range)
    .split('\0')
    .map((record) => record.trimStart())
    .filter((record) => record !== '')
    .map((record) => {
      const [hash = '', subject = '', ...body] = record.split('\n')
      return { hash, subject, body: body.join('\n') }
    })
}

const [tag = 'HEAD'] = process.argv.slice(2)
const before = tagBefore(tag)
process.stdout.write(releaseNotes(commitsOf(before === undefined ? tag : `${before}..${tag}`)))
