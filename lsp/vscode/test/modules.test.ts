import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costText, dumpTree, sizeText } from '../src/modules/dumpTree';
import { fileOfText, textPlace } from '../src/modules/place';

test('the text of a file leads back to it', () => {
  for (const file of ['/a/b.hlo.pb', '/a dir/ü?&=#.pb', 'C:\\x\\y.pbtxt']) {
    const place = textPlace(file);
    assert.ok(place.path.endsWith('.hlo'));
    assert.equal(fileOfText(place), file);
  }
  assert.equal(fileOfText({ scheme: 'file', query: 'file=x' }), undefined);
  assert.equal(fileOfText({ scheme: 'hlo-module', query: '' }), undefined);
});

test('dumps are a tree of modules, stages and files', () => {
  const file = (name: string, kind = 'hlo') => ({ file: name, kind, bytes: 2048 });
  const tree = dumpTree({
    modules: [{
      number: 1, name: 'jit_f', id: 7, folder: '', bytes: 5 * 1024 * 1024,
      stages: [
        { order: 0, name: 'before', file: 'a.txt', kind: 'hlo', bytes: 100, files: [file('a.txt')] },
        { order: 1, name: 'after', file: 'b.hlo.pb', kind: 'hlo', bytes: 100, files: [file('b.hlo.pb'), file('b.txt')] },
      ],
      others: [file('c.ll', 'llvm-ir')],
    }],
  });
  assert.equal(tree.length, 1);
  assert.equal(tree[0]!.description, 'id 7, 2 stages, 5.0 MiB');
  assert.deepEqual(tree[0]!.children!.map((node) => [node.label, node.file, node.children?.length]), [
    ['before', 'a.txt', undefined], ['after', 'b.hlo.pb', 2], ['c.ll', 'c.ll', undefined],
  ]);
  assert.equal(sizeText(100), '100 B');
});

test('the cost of a stage is one line', () => {
  const text = costText({ total: { flops: 8, bytes_read: 2048, bytes_written: 1024 }, memory: { peak_live_bytes: 100 } });
  assert.equal(text, '8 FLOP, 3.0 KiB moved, 100 B at the peak');
});
