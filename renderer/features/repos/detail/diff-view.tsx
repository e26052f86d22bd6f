import { useMemo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'
import { type FileDiff, splitDiff } from '../model/split-diff.ts'
import { words } from '../words.ts'

/** Lines of a file, and files, that are shown at first: a diff may have a million lines. */
const firstLines = 200
const firstFiles = 50

/** Changed lines, file by file. */
export function DiffView({ diff }: { diff: string }) {
  const files = useMemo(() => splitDiff(diff), [diff])
  const [shown, setShown] = useState(firstFiles)
  if (files.length === 0) return <p className="text-sm text-muted">{words.noFilesChanged}</p>
  return (
    <section aria-label={words.changes} className="flex min-w-0 flex-col gap-3">
      {files.slice(0, shown).map((file) => (
        <FileChanges key={file.path} file={file} />
      ))}
      {files.length > shown && (
        <Button size="small" className="self-start" onClick={() => setShown(shown + firstFiles)}>
          {`Show changes of ${plural(files.length - shown, 'file')} more`}
        </Button>
      )}
    </section>
  )
}

function FileChanges({ file: { path, lines } }: { file: FileDiff }) {
  const [whole, setWhole] = useState(false)
  const shown = whole ? lines : lines.slice(0, firstLines)
  return (
    <figure className="min-w-0 rounded-lg border border-line">
      <figcaption className="border-b border-line px-3 py-1.5 font-mono text-xs break-all">
        {visibleControls(path)}
      </figcaption>
      <pre
        // A region that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={`Changes of ${path}`}
        className="scroll-quiet max-h-[70vh] overflow-auto py-1 font-mono text-xs leading-5"
      >
        {shown.map((line, index) => (
          // Lines have no other name, and never move.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={classNames('block w-fit min-w-full px-3', toneOf(line))}>
            {visibleControls(line) || ' '}
          </span>
        ))}
      </pre>
      {lines.length > shown.length && (
        <div className="border-t border-line p-2">
          <Button size="small" onClick={() => setWhole(true)}>
            {words.showMoreLines(formatCount(lines.length - shown.length))}
          </Button>
        </div>
      )}
    </figure>
  )
}

function toneOf(line: string): string {
  if (line.startsWith('+')) return 'bg-ok-soft'
  if (line.startsWith('-')) return 'bg-bad-soft'
  return line.startsWith('@@') ? 'text-muted' : ''
}
