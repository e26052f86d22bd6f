import { Refusal } from '../../core/refusal.ts'

// Rules for files outside Git LFS, and the hub's words: a push shows them line by line, a commit over the API as one text.

/** Limit in bytes for a file in a commit. */
export const largestRegularFile = 10 * 1024 * 1024

/**
 * Limit in bytes for a binary file. The hub does not document its limit: it refused images of 145 KB and accepts icons.
 */
export const largestBinaryFile = 100 * 1024

/** Bytes at the start of a file that decide whether it is binary. */
export const binaryStart = 8000

/** Checks for a NUL byte near the start, as git does to find binary files. */
export function isBinary(start: Uint8Array): boolean {
  return start.subarray(0, binaryStart).includes(0)
}

interface FileRule {
  /** The hub's message, line by line. */
  readonly words: readonly string[]
  /** Reason in the request log for a commit over the API. */
  readonly why: string
}

export const fileRules = {
  large: {
    words: [
      'Your push was rejected because it contains files larger than 10 MiB.',
      'Please use https://git-lfs.github.com/ to store large files.',
      'See also: https://hf.co/docs/hub/repositories-getting-started#terminal',
    ],
    why: `over ${largestRegularFile / 1024 / 1024} MiB; preupload returns which files need Git LFS`,
  },
  binary: {
    words: [
      'Your push was rejected because it contains binary files.',
      'Please use https://huggingface.co/docs/hub/xet to store binary files.',
      'See also: https://huggingface.co/docs/hub/xet/using-xet-storage#git',
    ],
    why: `binary and over ${largestBinaryFile / 1024} KiB; preupload returns which files need Git LFS`,
  },
  pointer: {
    words: [
      'Your push was rejected because an LFS pointer pointed to a file that does not exist.',
      'For instance, this can happen if you used git push --no-verify to push your changes.',
    ],
    why: 'a commit may refer only to objects that were uploaded to its repo',
  },
} satisfies Readonly<Record<string, FileRule>>

/** @param files paths, or other descriptions of the place; at least one */
export function refusedFiles(rule: keyof typeof fileRules, files: readonly string[]): Refusal {
  const { words, why } = fileRules[rule]
  const offending = `Offending file${files.length === 1 ? '' : 's'}:`
  const named = files.map((file) => `- ${file}`)
  const more = files.length === 1 ? '' : ` and ${files.length - 1} more`
  const detail = `${files[0]}${more}: ${why}`
  return new Refusal('invalid', [...words, offending, ...named].join(' '), { detail })
}
