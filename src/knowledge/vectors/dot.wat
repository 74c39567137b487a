;; Computes the scalar products of a question with vectors that lie one after another, sixteen numbers at once.
(module
  ;; The vectors.
  (import "memories" "vectors" (memory $vectors 0 65536 shared))
  ;; The question and the results.
  (import "memories" "own" (memory $own 1))
  ;; $question, $into: places in its own memory; $vector: the place of the first vector; $end: the place after the last
  (func (export "multiply")
    (param $question i32) (param $length i32) (param $vector i32) (param $end i32) (param $into i32)
    (local $at i32) (local $rest i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $sum f32)
    (loop $vectors
      (if (i32.ge_u (local.get $vector) (local.get $end)) (then (return)))
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (local.get $a))
      (local.set $c (local.get $a))
      (local.set $d (local.get $a))
      (local.set $at (local.get $question))
      (local.set $rest (local.get $length))
      ;; Four sums, so that no addition waits for the one before.
      (block $tail
        (loop $sixteen
          (br_if $tail (i32.lt_u (local.get $rest) (i32.const 16)))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul
            (v128.load $own (local.get $at)) (v128.load $vectors align=4 (local.get $vector)))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul
            (v128.load $own offset=16 (local.get $at)) (v128.load $vectors offset=16 align=4 (local.get $vector)))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul
            (v128.load $own offset=32 (local.get $at)) (v128.load $vectors offset=32 align=4 (local.get $vector)))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul
            (v128.load $own offset=48 (local.get $at)) (v128.load $vectors offset=48 align=4 (local.get $vector)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $vector (i32.add (local.get $vector) (i32.const 64)))
          (local.set $rest (i32.sub (local.get $rest) (i32.const 16)))
          (br $sixteen)))
      (local.set $a (f32x4.add
        (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
      (local.set $sum (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
        (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
      (block $done
        (loop $one
          (br_if $done (i32.eqz (local.get $rest)))
          (local.set $sum (f32.add (local.get $sum) (f32.mul
            (f32.load $own (local.get $at)) (f32.load $vectors (local.get $vector)))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (local.set $vector (i32.add (local.get $vector) (i32.const 4)))
          (local.set $rest (i32.sub (local.get $rest) (i32.const 1)))
          (br $one)))
      (f32.store $own (local.get $into) (local.get $sum))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (br $vectors))))
