import { Refusal } from '../../core/refusal.ts'

// What the hub takes of no file that is not in Git LFS, and its words for it: a push has them line by line, a commit over
// the API as one text.

/** What a file may have, in bytes, that is uploaded within a commit. */
export const largestRegularFile = 10 * 1024 * 1024

/**
 * The same of one that is no text. Where the hub draws the line it does not say: pictures of 145 KB were refused, icons
 * are taken.
 */
export const largestBinaryFile = 100 * 1024

/** So much of a file tells whether it is one. */
export const binaryStart = 8000

/** Git takes for no text what has a NUL byte near its start. */
export function isBinary(start: Uint8Array): boolean {
  return start.subarray(0, binaryStart).includes(0)
}

interface FileRule {
  /** What the hub says, line by line. */
  readonly words: readonly string[]
  /** What the request log says of the files of a commit over the API. */
  readonly why: string
}

export const fileRules = {
  large: {
    words: [
      'Your push was rejected because it contains files larger than 10 MiB.',
      'Please use https://git-lfs.github.com/ to store large files.',
      'See also: https://hf.co/docs/hub/repositories-getting-started#terminal',
    ],
    why: `over ${largestRegularFile / 1024 / 1024} MiB; preupload tells what is for Git LFS`,
  },
  binary: {
    words: [
      'Your push was rejected because it contains binary files.',
      'Please use https://huggingface.co/docs/hub/xet to store binary files.',
      'See also: https://huggingface.co/docs/hub/xet/using-xet-storage#git',
    ],
    why: `no text, and over ${largestBinaryFile / 1024} KiB; preupload tells what is for Git LFS`,
  },
  pointer: {
    words: [
      'Your push was rejected because an LFS pointer pointed to a file that does not exist.',
      'For instance, this can happen if you used git push --no-verify to push your changes.',
    ],
    why: 'a commit may refer to what was uploaded to its own repo alone',
  },
} satisfies Readonly<Record<string, FileRule>>

/** @param files paths, or what else is known of where they are; at least one */
export function refusedFiles(rule: keyof typeof fileRules, files: readonly string[]): Refusal {
  const { words, why } = fileRules[rule]
  const offending = `Offending file${files.length === 1 ? '' : 's'}:`
  const named = files.map((file) => `- ${file}`)
  const more = files.length === 1 ? '' : ` and ${files.length - 1} more`
  const detail = `${files[0]}${more}: ${why}`
  return new Refusal('invalid', [...words, offending, ...named].join(' '), { detail })
}
