package vmaf

/*
#cgo CFLAGS: -I${SRCDIR}/../include
*/
import "C"
