import type { RepoType } from '../../contract/words/hub.ts'
import type { FileOperation } from '../commits/commits.ts'

/** What git stores outside of the repo where large files are configured. */
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

/** The files every new repo has, and the README of one whose licence or SDK is known. */
export function firstFiles(
  type: RepoType,
  { name, license, sdk }: { name: string; license?: string; sdk?: string },
): FileOperation[] {
  const attributes = largeFilePatterns
    .map((pattern) => `${pattern} filter=lfs diff=lfs merge=lfs -text\n`)
    .join('')
  const metadata = [
    ...(type === 'space' ? [`title: ${name.split('/')[1]}`, `sdk: ${sdk}`] : []),
    ...(license === undefined ? [] : [`license: ${license}`]),
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
