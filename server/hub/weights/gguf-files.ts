/** GGUF file of a repo. */
export interface GgufFile {
  readonly path: string
  /** Quantization in its name, such as `Q4_K_M`. */
  readonly quantization?: string
}

/** Preferred where none is asked for, the best first; else the first file. */
const preferred = ['Q4_K_M', 'Q4_K_S', 'Q4_0', 'Q5_K_M', 'Q8_0']

/**
 * Lists the GGUF files of a repo that are models of their own: not the vision part of one (`mmproj`), and of a split model
 * the first part.
 * @param paths files of a commit, in git's order
 */
export function listGgufFiles(paths: Iterable<string>): GgufFile[] {
  const files: GgufFile[] = []
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (!/\.gguf$/i.test(name) || /^mmproj/i.test(name)) continue
    const [, part] = /-(\d{5})-of-\d{5}\.gguf$/i.exec(name) ?? []
    if (part !== undefined && part !== '00001') continue
    const quantization = quantizationOf(name)
    files.push({ path, ...(quantization !== undefined && { quantization }) })
  }
  return files
}

/** Finds the vision part of the models of a repo. */
export function findProjector(paths: Iterable<string>): string | undefined {
  for (const path of paths) if (/(^|\/)mmproj[^/]*\.gguf$/i.test(path)) return path
  return undefined
}

/**
 * Chooses the file for a tag: a quantization, the name of a file, or `latest`.
 * @returns `undefined` for a tag that no file has
 */
export function chooseGguf(files: readonly GgufFile[], tag = 'latest'): GgufFile | undefined {
  const wanted = tag.toUpperCase()
  if (wanted === 'LATEST') {
    const usual = preferred.flatMap(
      (name) => files.find(({ quantization }) => quantization === name) ?? [],
    )
    return usual[0] ?? files[0]
  }
  return files.find(
    ({ path, quantization }) =>
      quantization === wanted || path.slice(path.lastIndexOf('/') + 1).toUpperCase() === wanted,
  )
}

function quantizationOf(name: string): string | undefined {
  const stem = name.replace(/(-\d{5}-of-\d{5})?\.gguf$/i, '')
  const found =
    /(?:^|[-._])((?:UD-)?(?:I?Q[1-8]_[0-9A-Z_]+|TQ[12]_0|MXFP4(?:_MOE)?|BF16|F16|F32))$/i.exec(stem)
  return found?.[1]?.toUpperCase()
}
