import type { RepoType } from '../../contract/words/hub-words.ts'
import type { FileOperation } from '../commits/commits.ts'

/** Patterns of large files in a new repo's `.gitattributes`. */
const largeFilePatterns = [
  '*.7z',
  '*.arrow',
  '*.bin',
  '*.bz2',
  '*.ckpt',
  '*.ftz',
  '*.gz',
  '*.h5',
  '*.joblib',
  '*.lfs.*',
  '*.mlmodel',
  '*.model',
  '*.msgpack',
  '*.npy',
  '*.npz',
  '*.onnx',
  '*.ot',
  '*.parquet',
  '*.pb',
  '*.pickle',
  '*.pkl',
  '*.pt',
  '*.pth',
  '*.rar',
  '*.safetensors',
  'saved_model/**/*',
  '*.tar.*',
  '*.tar',
  '*.tflite',
  '*.tgz',
  '*.wasm',
  '*.xz',
  '*.zip',
  '*.zst',
  '*tfevents*',
]

export interface FirstFilesInput {
  name: string
  license?: string
  sdk?: string
  /** Further members of the metadata in README.md. */
  card?: Readonly<Record<string, string>>
}

/** Returns the files of a new repo: `.gitattributes`, and a README for a known licence or SDK. */
export function firstFiles(
  type: RepoType,
  { name, license, sdk, card = {} }: FirstFilesInput,
): FileOperation[] {
  const attributes = largeFilePatterns
    .map((pattern) => `${pattern} filter=lfs diff=lfs merge=lfs -text\n`)
    .join('')
  const metadata = [
    ...(type === 'space' ? [`title: ${name.split('/')[1]}`, `sdk: ${sdk}`] : []),
    ...(license === undefined ? [] : [`license: ${license}`]),
    // A JSON string is one of YAML.
    ...Object.entries(card).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
  ]
  return [
    { kind: 'add', path: '.gitattributes', content: attributes },
    ...(metadata.length === 0
      ? []
      : [
          {
            kind: 'add' as const,
            path: 'README.md',
            content: ['---', ...metadata, '---', ''].join('\n'),
          },
        ]),
  ]
}
