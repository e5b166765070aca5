/** Cutting a stream into items. */

/** The items of a stream, as soon as they are complete and without their separators; a last one without separator counts. */
export async function* splitItems(input: AsyncIterable<Uint8Array>, separator: number): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) {
      begun.push(chunk.subarray(start));
    }
  }
  if (begun.length > 0) {
    yield Buffer.concat(begun);
  }
}
