/** One row of a table of a document: cells by heading, without backticks. */
export type MarkdownRow = Readonly<Record<string, string>>;

function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
}

/** The rows of every table of a Markdown document that has all these headings, in order. */
export function tableRows(document: string, headings: readonly string[]): MarkdownRow[] {
  const tables = document.match(/(?:^\|.*\|\n)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [head = '', , ...lines] = table.trimEnd().split('\n');
    const names = cells(head);
    if (!headings.every((heading) => names.includes(heading))) return [];
    return lines.map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at] ?? '', cell])));
  });
}
