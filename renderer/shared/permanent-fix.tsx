import type { Fix } from '../../server/contract/control-fixes.ts'
import { Code } from '../ui/code.tsx'
import { CopyButton } from '../ui/copy.tsx'

/** The same change as fixtures, and on the Hub. */
export function PermanentFix({ fix: { fixtures, onTheHub } }: { fix: Fix }) {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded text-muted hover:text-ink">Make it permanent</summary>
      <div className="flex flex-col gap-2 pt-2">
        <p className="break-words text-muted">{onTheHub}</p>
        <div className="flex items-center justify-between gap-2">
          <p className="min-w-0 break-words text-muted">
            In the fixtures file, at <span className="font-mono text-xs">{fixtures.place}</span>:
          </p>
          <CopyButton text={fixtures.lines} what="fixtures line" />
        </div>
        <Code json label="Fixtures" text={fixtures.lines} />
      </div>
    </details>
  )
}
