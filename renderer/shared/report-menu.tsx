import type { ReportFormat } from '../../server/contract/words/advice-words.ts'
import { saveFile } from '../lib/save-file.ts'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { notifyFailure } from '../ui/toast.tsx'
import { words } from './words.ts'

// Annotations of GitHub are for the log of a job only.
const formats = ['sarif', 'junit', 'markdown', 'json', 'text'] as const satisfies ReportFormat[]

interface ReportMenuProps {
  read: (format: (typeof formats)[number]) => Promise<{ filename: string; text: string }>
  size?: 'small' | 'medium'
}

/** Saves a report for a pipeline or a person. */
export function ReportMenu({ read, size = 'medium' }: ReportMenuProps) {
  return (
    <Menu
      trigger={
        <Button icon="download" size={size}>
          Export
        </Button>
      }
      items={formats.map((format) => ({
        label: words.reportFormats[format],
        onSelect: () => {
          read(format).then(
            ({ filename, text }) => saveFile(filename, new Blob([text], { type: 'text/plain' })),
            (error: unknown) => notifyFailure('Could not export the report', error),
          )
        },
      }))}
    />
  )
}
