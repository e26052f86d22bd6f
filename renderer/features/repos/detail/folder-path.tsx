import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

interface FolderPathProps {
  /** Name of the repo. */
  root: string
  path: string
  onOpen: (folder: string) => void
}

/** Path of a folder or file; each part before the last one opens its folder. */
export function FolderPath({ root, path, onOpen }: FolderPathProps) {
  const parts = path.split('/')
  return (
    <nav aria-label={words.path} className="flex min-w-0 flex-wrap items-center gap-1 text-sm">
      <FolderButton name={root} onClick={() => onOpen('')} />
      {parts.map((name, index) => {
        const folder = parts.slice(0, index + 1).join('/')
        return (
          <span key={folder} className="flex min-w-0 items-center gap-1">
            <span className="text-faint">/</span>
            {index === parts.length - 1 ? (
              <span aria-current="page" className="min-w-0 font-medium break-all">
                {visibleControls(name)}
              </span>
            ) : (
              <FolderButton name={name} onClick={() => onOpen(folder)} />
            )}
          </span>
        )
      })}
    </nav>
  )
}

function FolderButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="min-w-0 text-left break-all text-accent hover:underline"
      onClick={onClick}
    >
      {visibleControls(name)}
    </button>
  )
}
