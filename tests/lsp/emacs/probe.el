;;; probe.el --- What Emacs shows of a broken module -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0

;; Leaves with status 1 if anything is not as it should be.

;;; Code:

(add-to-list 'load-path (getenv "HLOSCOPE_EDITORS"))
(require 'hloscope)
(require 'cl-lib)
(require 'flymake)

(setq hloscope-server-command (list (getenv "HLOSCOPE_LSP"))
      eglot-sync-connect 10
      eglot-autoshutdown t
      eglot-send-changes-idle-time 0.05
      eglot-confirm-server-initiated-edits nil)

(defvar probe-failures 0)

(defun probe-check (what good seen)
  "Print WHAT, and what was SEEN unless GOOD."
  (princ (if good (format "ok: %s\n" what) (format "FAILED: %s: %S\n" what seen)))
  (unless good (setq probe-failures (1+ probe-failures))))

(defun probe-wait (condition)
  "Wait until the function CONDITION returns non-nil, and return that; nil after ten seconds."
  (let ((end (+ (float-time) 10)) result)
    (while (and (not (setq result (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    result))

(defun probe-errors ()
  "The errors that flymake shows."
  (cl-remove-if-not (lambda (diagnostic) (eq (flymake-diagnostic-type diagnostic) 'eglot-error)) (flymake-diagnostics)))

(defun probe ()
  "The test."
  (find-file "dump.txt")
  (probe-check "a dump is known by its first line" (eq major-mode 'hlo-mode) major-mode)
  (find-file "broken.hlo")
  (probe-check "a module is known by its name" (eq major-mode 'hlo-mode) major-mode)
  (font-lock-ensure)
  (goto-char (point-min))
  (search-forward "ENTRY")
  (probe-check "colours" (eq (get-text-property (1- (point)) 'face) 'font-lock-keyword-face)
               (get-text-property (1- (point)) 'face))

  (apply #'eglot (eglot--guess-contact))
  (let ((errors (probe-wait #'probe-errors)))
    (probe-check "one error" (= (length errors) 1) errors)
    (let ((diagnostic (car errors)))
      (probe-check "its place"
                   (and diagnostic (equal (buffer-substring (flymake-diagnostic-beg diagnostic) (flymake-diagnostic-end diagnostic)) "twise"))
                   diagnostic)
      (probe-check "its words" (and diagnostic (string-match-p "twise" (flymake-diagnostic-text diagnostic))) diagnostic)))

  ;; The line has characters that UTF-8, UTF-16 and Emacs count differently.
  (goto-char (point-min))
  (search-forward "twice =")
  (goto-char (match-beginning 0))
  (let* ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)))
         (text (plist-get (plist-get hover :contents) :value)))
    (probe-check "hover" (and text (string-match-p "twice = f32\\[8,16\\]{1,0} add(x, x)" text)) hover))

  ;; Repair the name as a user would; the diagnostic goes away.
  (goto-char (point-min))
  (search-forward "twise")
  (replace-match "twice")
  (eglot--signal-textDocument/didChange)
  (probe-check "the error goes after the repair" (probe-wait (lambda () (null (probe-errors)))) (flymake-diagnostics))

  ;; Jump from the use to the definition.
  (backward-char 2)
  (xref-find-definitions "LSP identifier at point.")
  (probe-check "definition" (looking-at-p "twice = ") (list (line-number-at-pos) (current-column)))

  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot--current-server-or-lose) nil 5)
  (probe-check "the server stops" (null (eglot-current-server)) (eglot-current-server)))

(condition-case problem
    (probe)
  (error (probe-check "no surprise" nil problem)))
(kill-emacs (if (= probe-failures 0) 0 1))
;;; probe.el ends here
