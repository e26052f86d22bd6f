import { classNames } from '../lib/class-names.ts'

interface HeadColumn {
  title: string
  className?: string
}

/** Head of a small table of fixed columns; long lists are a `Table`. */
export function TableHead({ columns }: { columns: readonly HeadColumn[] }) {
  return (
    <thead>
      <tr className="border-b border-line text-left">
        {columns.map(({ title, className }) => (
          <th
            key={title}
            scope="col"
            className={classNames('eyebrow py-1.5 pr-3 font-medium', className)}
          >
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
